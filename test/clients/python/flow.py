"""An example of the generated Python client: an agreement, a payment, a refund, the events and a batch."""

import os
import time
import uuid
from collections.abc import Callable
from typing import TypeVar

from payto import AuthenticatedClient
from payto.api.agreements import create_agreement
from payto.api.batches import create_batch, get_batch, list_batch_rows
from payto.api.events import list_events
from payto.api.payments import get_payment, request_payment, request_refund
from payto.models.account_identifier import AccountIdentifier
from payto.models.account_identifier_type import AccountIdentifierType
from payto.models.create_agreement import CreateAgreement
from payto.models.create_agreement_purpose import CreateAgreementPurpose
from payto.models.create_payment import CreatePayment
from payto.models.create_refund import CreateRefund
from payto.models.creditor import Creditor
from payto.models.debtor import Debtor
from payto.models.payment_terms import PaymentTerms
from payto.models.payment_terms_frequency import PaymentTermsFrequency
from payto.models.payment_terms_type import PaymentTermsType
from payto.models.payments_batch import PaymentsBatch
from payto.models.payments_batch_kind import PaymentsBatchKind
from payto.models.payments_batch_rows_item import PaymentsBatchRowsItem
from payto.models.problem import Problem
from payto.models.refund_from_float_account import RefundFromFloatAccount
from payto.models.refund_from_float_account_type import RefundFromFloatAccountType

WAIT_SECONDS = 20

Answer = TypeVar("Answer")

client = AuthenticatedClient(
    base_url=os.environ["PAYTO_URL"], token=os.environ["PAYTO_API_KEY"], timeout=WAIT_SECONDS + 10
)
run = uuid.uuid4().hex[:8]


def answer_of(answer: Answer | Problem | None) -> Answer:
    """The answer without the case of a problem, which it raises."""
    if isinstance(answer, Problem):
        raise RuntimeError(f"{answer.status} {answer.code}: {answer.detail}")
    if answer is None:
        raise RuntimeError("expected an answer with a body that the document describes")
    return answer


def until(what: str, read: Callable[[], Answer], is_it: Callable[[Answer], bool]) -> Answer:
    """Reads until the answer is the expected one."""
    deadline = time.monotonic() + 60
    while not is_it(answer := read()):
        if time.monotonic() > deadline:
            raise RuntimeError(f"expected {what} within a minute; last answer: {answer}")
        time.sleep(0.2)
    return answer


def expect(what: str, expected: object, found: object) -> None:
    if found != expected:
        raise RuntimeError(f"{what}: expected {expected}, found {found}")
    print(f"{what}: {found}")


def activate_agreement(uid: str) -> None:
    body = CreateAgreement(
        uid=uid,
        connection=os.environ["PAYTO_CONNECTION"],
        purpose=CreateAgreementPurpose.UTILITY,
        description="Plan 77",
        debtor=Debtor(party_name="A Payer", account_identifier=bban("200001-12340001")),
        creditor=Creditor(party_name="Sandbox Biller", account_identifier=bban("200002-55550001")),
        payment_terms=PaymentTerms(
            type_=PaymentTermsType.VARIABLE, frequency=PaymentTermsFrequency.ADHOC, max_amount=25_000
        ),
    )
    answer = answer_of(create_agreement.sync(client=client, body=body, wait=WAIT_SECONDS))
    expect("agreement", "active", answer.data.state.value)


def bban(value: str) -> AccountIdentifier:
    return AccountIdentifier(type_=AccountIdentifierType.BBAN, value=value)


def settle_payment(agreement: str, uid: str) -> None:
    body = CreatePayment(uid=uid, amount=4_200, reference="INV 5", description="October", creditor_reference="C-5")
    answer_of(request_payment.sync(agreement, client=client, body=body))
    answer = answer_of(get_payment.sync(uid, client=client, wait=WAIT_SECONDS))
    expect("payment", "settled", answer.data.state.value)


def refund_part(payment: str) -> None:
    body = CreateRefund(
        uid=f"{payment}-refund",
        refund_payment=RefundFromFloatAccount(
            type_=RefundFromFloatAccountType.FLOAT_BANK_PAYMENT,
            float_bank_account_id=uuid.UUID(os.environ["PAYTO_FLOAT_ACCOUNT"]),
            amount=1_500,
            description="REFUND part",
        ),
    )
    answer = answer_of(request_refund.sync(payment, client=client, body=body, wait=WAIT_SECONDS))
    expect("refund", "processed", answer.data.state.value)


def read_events(payment: str) -> None:
    """Events are stored after the change that they describe."""

    def types() -> list[str]:
        answer = answer_of(list_events.sync(client=client, resource=payment, wait=WAIT_SECONDS))
        return [event.type_.value for event in answer.data]

    until("the event payment.settled", types, lambda found: "payment.settled" in found)
    print("events: payment.settled")


def pay_in_a_batch(agreement: str) -> None:
    uids = [f"py-{run}-row-{index}" for index in range(2)]
    rows = [PaymentsBatchRowsItem(uid=uid) for uid in uids]
    for row in rows:  # The fields of a row are those of a payment.
        row["agreement_uid"] = agreement
        row["amount"] = 1_000
        row["reference"] = "INV 6"
        row["description"] = "November"
        row["creditor_reference"] = "C-6"
    body = PaymentsBatch(id=f"py-{run}-batch", kind=PaymentsBatchKind.PAYMENTS, rows=rows)
    batch = answer_of(create_batch.sync(client=client, body=body)).data.id
    done = until(
        "the batch to be done",
        lambda: answer_of(get_batch.sync(batch, client=client)).data,
        lambda data: data.state.value == "done",
    )
    expect("batch, rows done", len(uids), done.counts.done)
    page = answer_of(list_batch_rows.sync(batch, client=client))
    expect("batch rows", uids, [row.uid for row in page.data])


def read_a_problem() -> None:
    answer = get_payment.sync_detailed(f"py-{run}-none", client=client)
    expect("problem status", 404, answer.status_code.value)
    if not isinstance(answer.parsed, Problem):
        raise RuntimeError(f"expected a problem, found {answer.parsed}")
    expect("problem code", "not_found", answer.parsed.code.value)


activate_agreement(f"py-{run}")
settle_payment(f"py-{run}", f"py-{run}-payment")
refund_part(f"py-{run}-payment")
read_events(f"py-{run}-payment")
pay_in_a_batch(f"py-{run}")
read_a_problem()
