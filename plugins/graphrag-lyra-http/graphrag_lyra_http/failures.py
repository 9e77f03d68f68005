"""Why a call has no answer."""

from __future__ import annotations

from graphrag_pipeline import StageError

SERVICE = "LYRA over HTTP"


class CallError(StageError):
    """A call failed.

    Args:
        what: One sentence saying what happened.
        where: The address, without what was asked.
        hint: What to do next.
        may_pass: Whether trying again may help.
        is_servers: Whether the server is to blame, and not the request.
        after: Seconds that the server wants to be left alone for; None when it does not say.
    """

    def __init__(
        self,
        what: str,
        *,
        where: str = "",
        hint: str = "",
        may_pass: bool = False,
        is_servers: bool = True,
        after: float | None = None,
    ) -> None:
        super().__init__(f"{SERVICE}: {what}", where=where, hint=hint)
        self.may_pass = may_pass
        self.is_servers = is_servers
        self.after = after
