"""Words that say nothing about what a text is about: articles, pronouns, prepositions, auxiliaries."""

from __future__ import annotations

from collections.abc import Mapping

_LISTS: Mapping[str, str] = {
    "english": """
        a about an and any are as at be been being but by can could did do does for from had has
        have he her his how i if in into is it its may me might my no nor not of on or our she
        should so than that the their them then there these they this those to was we were what when
        where which while who whom whose why will with would you your
    """,
    "german": """
        als am an auch auf aus bei bin bis bist da dann das dass dem den der des die dies diese
        dieser du durch ein eine einem einen einer eines er es für hat hatte ich ihr ihre im in ist
        ja kann mit nach nicht noch nur oder seine sich sie sind so über um und uns unter vom von
        vor war waren was welche welcher wenn wer werden wie wir wird wo zu zum zur
    """,
    "french": """
        a ai au aux avec ce ces cette dans de des du elle elles en est et eu il ils je l la le les
        leur lui ma mais me mes mon ne nos notre nous on ont ou où par pas pour qu que quel quelle
        quels qui sa sans se ses son sont sur ta te tes ton tu un une vos votre vous y été était
    """,
    "spanish": """
        a al como con cual cuando de del donde el ella ellos en era es esta este esto fue ha hay la
        las le les lo los me mi no nos o para pero por que qué quien se ser si sin sobre son su sus
        también te tu un una uno y ya
    """,
    "italian": """
        a ai al alla alle anche che chi ci come con da dal dalla dei del della delle di dove e è era
        gli ha hanno i il in io la le lo ma mi nel nella non o per più quale quando quello questa
        questo si sono su sua sul suo tra un una uno
    """,
    "dutch": """
        aan als bij dan dat de der deze die dit door een en er had heeft het hij hoe ik in is kan
        maar met na naar niet nog of om onder ook op over te tot uit van voor waar waren was wat
        welke wie wij wordt ze zich zij zijn zo
    """,
    "portuguese": """
        a ao aos as com como da das de do dos e é ela ele em era foi há isso isto já la lhe mais mas
        me na nas não no nos o os ou para pela pelo por qual quando que quem são se sem ser seu sua
        suas também te tem um uma
    """,
}


def stop_words(language: str) -> frozenset[str]:
    """Return the words of a language; none for a language without a list."""
    return frozenset(_LISTS.get(language, "").split())
