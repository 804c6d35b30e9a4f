// What a receiver does after each type of event. For the API document.
import type { EventType } from './event-types.js';

/** The action that follows the meaning of the type (`EVENT_TYPES`). Each text names routes by their paths. */
export const EVENT_ADVICE: Readonly<Record<EventType, string>> = {
  'agreement.created':
    'Wait for `agreement.active`, `agreement.declined`, `agreement.expired` or `agreement.failed`. An adopted agreement may have an outcome already: read `data.state`.',
  'agreement.active': 'Request payments with `POST /v1/agreements/{uid}/payments` from now on.',
  'agreement.declined': 'Read `data.state_reason`. To try again, create another agreement under another uid.',
  'agreement.expired': 'Ask the payer, and create another agreement under another uid.',
  'agreement.suspended':
    'Request no payments until `agreement.reactivated`. If you did not suspend it, read `data.state_reason` and ask the payer.',
  'agreement.reactivated':
    'Request payments again. Dates of a plan that passed in the meantime are in `GET /v1/agreements/{uid}/plan`.',
  'agreement.amended':
    'Use the new terms for further payments. Check a plan: the flag `plan` names payments that the terms now forbid.',
  'agreement.amendment_declined':
    'The terms stay as they were. Ask the payer before you propose another amendment.',
  'agreement.amendment_expired':
    'The terms stay as they were. Ask the payer, and propose the amendment again.',
  'agreement.amendment_recalled': 'The terms stay as they were. You may propose another amendment.',
  'agreement.amendment_failed':
    'The terms stay as they were. Read the failure in `data.actions`, correct the amendment, and propose it again.',
  'agreement.cancelled':
    'Payments are refused from now on. If you did not cancel it, read `data.state_reason`, and ask the payer for another agreement.',
  'agreement.failed':
    'Read `data.state_reason`, correct the request, and create another agreement under another uid.',
  'agreement.updated': 'Read `data.state`, and `data.awaiting.next` for what happens next.',
  'payment.requested':
    'Wait for `payment.settled`, `payment.failed`, `payment.lapsed` or `payment.withdrawn`. Plans request payments too.',
  'payment.submitted': 'Wait for `payment.settled` or `payment.failed`. It can no longer be withdrawn.',
  'payment.settled': 'Record the payment as paid. To return money, call `POST /v1/payments/{uid}/refunds`.',
  'payment.failed':
    'Do what `data.failure.next` says, and show `data.failure.payer_message` to the payer. With a `retry` in the request, `payment.retrying` may follow; otherwise call `POST /v1/payments/{uid}/retry` if `data.failure.retryable` is true.',
  'payment.under_investigation':
    'Do not take the money in another way. Wait for `payment.settled` or `payment.failed`.',
  'payment.parked':
    'Do not request the amount again. An operator compares it with the provider and calls `POST /v1/payments/{uid}/attention/parked/resolution`.',
  'payment.lapsed':
    'No money was taken. If it is still due and no plan requests it again, request another payment under another uid.',
  'payment.withdrawn': 'No money was taken, so there is nothing to do.',
  'payment.retrying': 'Do not request the amount again. Wait for `payment.settled` or `payment.failed`.',
  'payment.unresolved':
    'The money may have been taken. Ask the operator before you request the amount again.',
  'payment.updated': 'Read `data.state`, and wait for `payment.settled` or `payment.failed`.',
  'refund.requested': 'Wait for `refund.processed` or `refund.failed`.',
  'refund.submitted':
    'Wait for `refund.processed` or `refund.failed`. Do not return the money in another way.',
  'refund.processed': 'Record the refund as made.',
  'refund.failed': 'Read `data.failure`. The amount can be refunded again, under another uid.',
  'refund.parked':
    'Do not refund the amount again. An operator compares it with the provider and calls `POST /v1/refunds/{uid}/attention/parked/resolution`.',
  'refund.unresolved': 'The money may have been returned. Ask the operator before you refund it again.',
  'refund.updated': 'Read `data.state`, and wait for `refund.processed` or `refund.failed`.',
  'plan.date_left_out':
    'Read `GET /v1/agreements/{uid}/plan`. If `owed` names the date, the plan still takes it; if `left_out` in `log` is `payment_exists`, it was requested before. In both cases request nothing. Otherwise, if the amount is still due, request a payment yourself.',
  'client.requested': 'Wait for `client.active` or `client.failed`.',
  'client.active': 'Name its `data.client_id` as `initiator.client_id` of agreements.',
  'client.suspended':
    'New agreements of the client and of all clients below it are refused; active ones continue. Ask the provider.',
  'client.off_boarded':
    'New agreements of the client and of all clients below it are refused; active ones continue. Ask the provider.',
  'client.failed': 'Read `data.failure`, correct the request, and register the client under another uid.',
  'client.updated':
    'Read `data.state`: `not_configured` means that the provider must configure its PayTo service.',
  'counterparty.requested':
    'Wait for `counterparty.registered`, `counterparty.unverified` or `counterparty.refused`.',
  'counterparty.registered': 'Name its accounts as `payment_account_uid` of agreements.',
  'counterparty.unverified':
    'Read `outcome.next` of each of its accounts. Then call `POST /v1/counterparties/{uid}/correction`, or let an operator accept a close match (`…/acceptance`).',
  'counterparty.refused':
    'Read `data.failure`. Then call `POST /v1/counterparties/{uid}/correction` or `…/withdrawal`.',
  'counterparty.failed': 'It is not registered. If you still need it, request it again under another uid.',
  'counterparty.updated':
    'Read `data.state`: `verifying` needs nothing; after `unresolved`, the provider may have it, so ask your operator.',
  'connection.created':
    'Send the merchant the `authorize_url` that the request answered, and wait for `connection.healthy`.',
  'connection.healthy':
    'You need to do nothing: agreements and payments that waited resume automatically. New agreements may name it.',
  'connection.needs_reauthorisation':
    'Call `POST /v1/connections/{id}/reauthorisation`, and send the merchant the link.',
  'onboarding.started': 'Wait for `onboarding.completed` or `onboarding.stopped`.',
  'onboarding.step_changed': 'Read `data.steps` to show the progress. You need to do nothing.',
  'onboarding.stopped':
    'Do what `next` of the stopped step in `data.steps` says, for example `POST /v1/onboardings/{id}/correction`.',
  'onboarding.resumed': 'Wait for `onboarding.completed` or `onboarding.stopped`.',
  'onboarding.completed':
    'The agreement is active, and a requested first payment has settled. Request further payments under the agreement.',
  'onboarding.abandoned':
    '`data.left_behind` names the resources that it had started: they continue. Cancel those that you do not need.',
  'batch.created': 'Wait for `batch.completed`.',
  'batch.running': 'Wait for `batch.completed`, or read the rows at `GET /v1/batches/{uid}/rows`.',
  'batch.paused': 'Started rows continue. An operator resumes or abandons the batch.',
  'batch.completed':
    'Read the refused and failed rows at `GET /v1/batches/{uid}/rows`. Correct refused rows, and send them in another batch. A failed row has used its uid: read its agreement or payment before you request it again.',
  'batch.abandoned':
    'Its unstarted rows are not carried out. Send those that you still need in another batch.',
  'batch.incomplete': 'Send the batch again under another `id`.',
  'credit.unmatched':
    'While `data.state` is `unconfirmed`, do not treat the money as received. Find its payment or agreement with `GET /v1/unmatched-credits/{uid}`.',
  'credit.confirmed':
    'The money has arrived. An operator decides about it with `POST /v1/unmatched-credits/{uid}/resolution`.',
  'credit.joined': 'Decide the case that `data.joined_to` names.',
  'credit.decided': 'Book it as `data.resolution` says. The decision has moved no money.',
  'settlement.reported':
    'Compare its day with `GET /v1/reconciliation/{day}`. A changed version may change the result of a day that you compared before.',
  'notification.received':
    'A person reads it, acts at the provider, and calls `POST /v1/notifications/{notification}/acknowledgement`.',
  'notification.acknowledged': 'You need to do nothing: the notification has ended.',
  'stop.stopped':
    'Payments and refunds wait unsent, and payments may lapse. `data.stops` says which connections are stopped and why; you may request more payments.',
  'stop.cleared': 'You need to do nothing: waiting payments and refunds are sent within about a minute.',
  'attention.raised': 'Show it to an operator: `flag.detail` says what happened, and `flag.next` what to do.',
  'attention.resolved': 'Close what you have opened for the flag.',
  'webhook_endpoint.created':
    'If it was not you, find out who uses the API key that made it (`key` of `GET /v1/webhook-endpoints/{id}`), and delete the endpoint.',
  'webhook_endpoint.enabled': 'You need to do nothing: its waiting events are sent.',
  'webhook_endpoint.disabled':
    'Correct its receiver. Then enable it with `PATCH /v1/webhook-endpoints/{id}`, before its events expire.',
  'webhook_endpoint.deleted':
    'Its receiver gets no further events. Create another endpoint if it was a mistake.',
};
