"""Which answers are not shown: those about something else, guesses, what is not there, and what breaks a promise.

All but the first go by the judge's probability. That a database does not hold what is asked is suspected by the writer, by the
linking and by the words of the question; each of them alone declines right answers, and none of them knows the rows.
"""

from __future__ import annotations

import math

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.outcomes.provenance import confidence_of
from inquery.agents.outcomes.turns import close_turn, question_of
from inquery.agents.questions.unanswerable import answerable_questions, close_unlinked, with_questions
from inquery.agents.state import State, Update
from inquery.agents.state_types import final_error, told_error
from inquery.agents.truth.judge import shipped_judge
from inquery.agents.truth.other_subject import words_lost_again
from inquery.answers.answer import AnswerError
from inquery.errors import OtherSubject, Text, Unanswerable

NOTHING = math.log(0.06)
"""The log-probability of there being no answer from which on the writer is heard."""
UNSURE, UNLINKED, ABSENT = 0.15, 0.3, 0.5
"""What an answer has to reach where the writer says that there may be none, where no word of the question was found in the
database, and where one was that nothing here is about. Of 1,565 questions with an answer these three withheld 2, 3 and 1 that
were right, of 269 without one 144, 63 and 22 end here."""
_NOT_HERE = Text("no table here says that", "这里没有能回答该问题的表")


def withhold(state: State, context: Context) -> Update | None:
    """The end of a turn whose answer is not shown; what was tried stays in reach as the guess."""
    if state["query_analysis"].get("what") == "sql":
        return None
    language = state["language"]
    if lost := words_lost_again(state["generated_sql"], state, context):
        words = say(language, ", ".join(f"“{word}”" for word in lost), "、".join(f"“{word}”" for word in lost))
        return _closed(state, told_error(OtherSubject(words=words), language))
    sure = confidence_of(state | {"outcome": "answered"}) or 0.0
    if state["query_analysis"].get("unlinked") and _is_below(UNLINKED, sure, state, context):
        return close_unlinked(state, context)
    if reason := _not_there(sure, state, context):
        error = told_error(Unanswerable.because(reason.en, reason.zh), language)
        text, questions = with_questions(error["message"], question_of(state), context, language)
        return _closed(state, error, text) | {"recommended_questions": questions}
    if _is_guess(state, context, sure):
        told = say(
            language,
            "I would only be guessing: nothing in this database seems to say it. "
            "Say which table or figure you mean, or look at the statement I would have tried.",
            "这个问题我只能靠猜：数据库里似乎没有相应的内容。请说明您指的是哪张表或哪个指标，或查看我本来会试的语句。",
        )
    elif not _keeps_promise(state, context, sure):
        told = say(
            language,
            f"I am not sure enough of this one ({sure:.0%}) to show it as an answer. "
            "Say which table or figure you mean, or look at the statement I would have used.",
            f"这个问题我把握不足（{sure:.0%}），因此没有作为答案给出。请说明您指的是哪张表或哪个指标，或查看我本来会用的语句。",
        )
    else:
        return None
    asked = answerable_questions(question_of(state), context, language)
    return _closed(state, final_error("not_sure", told)) | {"recommended_questions": asked}


def _closed(state: State, error: AnswerError, text: str = "") -> Update:
    """A turn that ends without its rows."""
    told = text or error["message"]
    return close_turn(
        state, outcome="declined", text=told, error=error, current_stage="completed", route_decision="end"
    )


def _is_below(least: float, sure: float, state: State, context: Context) -> bool:
    """Whether an answer is less likely than a suspicion asks for; of a writer without probabilities too little is known."""
    evidence = state["judged"].get("evidence")
    silent = evidence is not None and "logprob" not in evidence
    return bool(context.settings.answers.least) and (silent or sure < least)


def _not_there(sure: float, state: State, context: Context) -> Text | None:
    """Why the database does not hold what is asked, where that is suspected and the answer is not sure enough."""
    absent = state["query_analysis"].get("absent")
    if absent is not None and _is_below(ABSENT, sure, state, context):
        return Text(absent["en"], absent["zh"])
    nothing = state["judged"].get("evidence", {}).get("nothing", -math.inf)
    return _NOT_HERE if nothing > NOTHING and _is_below(UNSURE, sure, state, context) else None


def _is_guess(state: State, context: Context, sure: float) -> bool:
    """Whether an answer is all but surely wrong.

    Of 185 such answers on databases that no writer saw one was right, and 116 of 269 questions that cannot be answered end
    here. Only where the writer gives probabilities: without them the judge's lowest values were never tried.
    """
    return "logprob" in state["judged"].get("evidence", {}) and sure < context.settings.answers.least


def _keeps_promise(state: State, context: Context, sure: float) -> bool:
    """Whether an answer is sure enough for what was promised, if anything was."""
    promise = context.settings.answers.promise
    if not promise:
        return True
    judge, judged = shipped_judge(), state["judged"]
    if "evidence" not in judged:  # people own every word of it
        return sure >= 1 - promise
    least = judge.least(promise)
    return least is not None and sure >= least and judge.knows(judged["evidence"])
