"""An independent judge of event logs: replays one from its first event and objects to whatever the rules forbid.

It knows the rules from the design, not from the program, and it knows only the log: if every decision was made on the facts
of its moment, then each event must be allowed by the events before it.
"""

from .shapes import moment

ANSWERED = {"question.answered", "question.pending", "question.approved", "question.denied", "question.revoked"}


class Person:
    def __init__(self):
        self.revision = 0
        self.age = None
        self.guardians: set[str] = set()
        self.ever_linked = False
        self.acknowledged: set[str] = set()
        self.questions: list["Question"] = []
        self.rescinded = False
        self.last = None

    @property
    def lower_bound(self) -> int | None:
        return self.age.get("lowerBound") if isinstance(self.age, dict) else None

    @property
    def is_adult(self) -> bool:
        return (self.lower_bound or 0) >= 18

    @property
    def is_confirmed_adult(self) -> bool:
        return self.is_adult and self.age.get("declaration") == "confirmed"


class Question:
    def __init__(self, data: dict):
        self.topic = data["topic"]
        self.quorum = data["quorum"]
        self.expiration = moment(data["expirationDate"])
        self.revision, self.state, self.ever_approved, self.superseded = 1, "pending", False, False
        self.rescinded = False
        self.answers: dict[str, str] = {}

    @property
    def subject(self):
        handles = self.topic.get("handles")
        return frozenset(handles) if handles else tuple(
            sorted((k, v) for k, v in self.topic.items() if k != "reusable"))

    def stands(self, when) -> bool:
        """Whether it is returned in place of a second one with its subject."""
        pending = self.state == "pending" and when < self.expiration
        lasting = self.topic["kind"] != "purchase" and self.topic.get("reusable", True)
        return pending or (lasting and self.state == "approved")

    def folded(self) -> str:
        kinds = list(self.answers.values())
        if "denial" in kinds:
            return "revoked" if self.ever_approved else "denied"
        return "approved" if kinds.count("approval") >= self.quorum else "pending"


class Judge:
    """`require_links` as the app's policy has it."""

    def __init__(self, *, require_links: bool = False):
        self.require_links = require_links
        self.persons: dict[str, Person] = {}
        self.questions: dict[str, Question] = {}
        self.changes: set[str] = set()
        self.accepted_answers = 0
        self.ending: list[str] = []

    def hear(self, events: list[dict]) -> "Judge":
        for position, event in enumerate(events, 1):
            try:
                assert event["seq"] == position, f"seq is not {position}"
                assert event["id"].rsplit("_", 1)[1] == str(position)
                self._hear(event)
            except AssertionError as objection:
                raise AssertionError(f"{objection}: {event}") from None
        return self

    def _hear(self, event: dict):
        kind, data, when = event["type"], event["data"], moment(event["timestamp"])
        if event["personRef"] is not None:
            person = self.persons.setdefault(event["personRef"], Person())
            assert person.last is None or person.last <= when, "time runs backwards for this person"
            person.last = when
        match kind:
            case "change.registered":
                assert data["id"] not in self.changes, "registered twice"
                self.changes.add(data["id"])
            case "person.updated":
                assert event["revision"] == data["revision"] == person.revision + 1, "a person's revision skips"
                person.revision, person.age = data["revision"], data["ageRange"]
            case "guardian.linked":
                assert data["guardian"] not in person.guardians, "linked twice"
                person.guardians.add(data["guardian"])
                person.ever_linked = True
            case "guardian.unlinked":
                assert data["guardian"] in person.guardians, "unlinked without a link"
                person.guardians.remove(data["guardian"])
                for question in person.questions:
                    if question.state == "pending" and when < question.expiration:
                        if question.answers.get(data["guardian"]) == "approval":
                            del question.answers[data["guardian"]]
            case "acknowledgment.created":
                assert not person.rescinded, "acknowledged although consent was taken back"
                assert person.is_confirmed_adult, "acknowledged by somebody who is no confirmed adult"
                assert data["change"] not in person.acknowledged, "acknowledged twice"
                assert data["change"] in self.changes, "no such change"
                person.acknowledged.add(data["change"])
            case "person.rescinded":
                assert data["scope"] == "change" or not person.rescinded, "taken back twice"
                if data["freezes"]:
                    person.rescinded = True
                    person.revision += 1
                assert event["revision"] == person.revision, "a person's revision skips"
                self.ending = list(data["ended"])
                for voided in data["voidedApprovals"]:
                    answers = self.questions[voided].answers
                    for guardian in [name for name, answer in answers.items() if answer == "approval"]:
                        del answers[guardian]
            case "person.reinstated":
                assert person.rescinded, "returned without having gone"
                person.rescinded = False
                person.revision += 1
                assert event["revision"] == person.revision, "a person's revision skips"
            case "question.cancelled" | "question.revoked" if data["resolution"]["by"] == "rescission":
                question = self._next(event)
                assert self.ending.pop(0) == data["id"], "ended without being named"
                assert question.state == ("pending" if kind == "question.cancelled" else "approved")
                question.state, question.rescinded = data["state"], kind == "question.revoked"
            case "question.created":
                assert not person.rescinded, "asked although consent was taken back"
                self._created(event, person, Question(data), when)
            case "question.superseded":
                question = self._next(event)
                assert question.state in ("denied", "revoked") and not question.superseded
                question.superseded = True
            case "question.expired":
                question = self._next(event)
                assert question.state == "pending", f"expired after {question.state}"
                assert when >= question.expiration, "expired before its time"
                question.state = "expired"
            case "question.cancelled":
                question = self._next(event)
                assert question.state == "pending" and when < question.expiration, f"cancelled after {question.state}"
                question.state = "cancelled"
            case "account.registered":
                assert set(data) == {"person", "store", "environment", "signed"}, "the log keeps a store's id"
            case "notification.received" | "notification.quarantined" | "notification.unattributed":
                assert data["status"] == {
                    "notification.quarantined": "quarantined", "notification.unattributed": "unattributed"}.get(
                        kind, data["status"])
            case _ if kind in ANSWERED:
                self._answered(event, person, when)
            case _:
                assert kind in ("app.updated", "key.created", "key.revoked", "change.updated", "person.erased"), "an unknown event"
        if kind.startswith("question."):
            question = self.questions[data["id"]]
            assert (data["state"], data["revision"]) == (question.state, question.revision), (
                f"the log says otherwise: {question.state}, revision {question.revision}")

    def _created(self, event, person, question, when):
        assert event["data"]["id"] not in self.questions and event["revision"] == 1
        assert not person.is_adult, "asked about an adult"
        if question.topic["kind"] == "significantAppUpdate":
            assert question.topic["change"] in self.changes, "about a change nobody registered"
        if person.ever_linked or self.require_links:
            assert len(person.guardians) >= question.quorum, "asked with fewer guardians than must approve"
        for other in person.questions:
            assert other.subject != question.subject or not other.stands(when), "a second question for what stands"
        assert question.expiration > when
        person.questions.append(question)
        self.questions[event["data"]["id"]] = question

    def _next(self, event) -> Question:
        question = self.questions[event["data"]["id"]]
        question.revision += 1
        assert event["revision"] == question.revision, "a question's revision skips"
        return question

    def _answered(self, event, person, when):
        question, answer = self._next(event), event["answer"]
        guardian = answer["guardian"]
        self.accepted_answers += 1
        assert not question.rescinded, "answered although consent to it was taken back"
        assert not person.rescinded or answer["answer"] == "denial", "approved although consent was taken back"
        assert question.state not in ("cancelled", "expired") and not question.superseded, "answered after its end"
        if when >= question.expiration:
            assert (question.state, answer["answer"]) == ("approved", "denial"), "answered past its expiration"
        if person.ever_linked or self.require_links:
            assert guardian in person.guardians, "answered by a guardian who is not linked"
        assert question.answers.get(guardian) != answer["answer"], "the same answer made a second event"
        question.answers[guardian] = answer["answer"]
        before, question.state = question.state, question.folded()
        question.ever_approved |= question.state == "approved"
        expected = "question.answered" if question.state == before else f"question.{question.state}"
        assert event["type"] == expected, f"should be {expected}"
