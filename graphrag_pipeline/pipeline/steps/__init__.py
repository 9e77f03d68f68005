"""How the runner drives each kind of stage, and checks what it returns."""
