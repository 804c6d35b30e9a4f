// Translates the provider's resources into domain snapshots. Pure; it never throws.
import { ClientAnswered } from '../../domain/client/request.schema.js';
import { errorRow } from '../error-table.js';
import { Refund, type Client } from './resources.schema.js';
import { boundedObject, isObject } from './values.js';
import { WireAgreement, WireMandate, WireOrder, WirePayment, WireReason } from './wire.schema.js';
import type { AgreementSnapshot } from '../../domain/agreement/lifecycle.js';
import type { ClientSnapshot } from '../../domain/client/lifecycle.js';
import type { PaymentSnapshot, PaymentFailure } from '../../domain/payment/lifecycle.js';
import type { RefundSnapshot } from '../../domain/refund/lifecycle.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { Reason } from '../../domain/facts/fact.js';

/** The values to use if the answer lacks them. */
export interface Fallback {
  uid?: string | undefined;
  state: string;
}

/** The agreement in `data` (docs/provider.md#agreements-resource); undefined if it is not recognisable. */
export function agreementFrom(data: unknown, fallback: Fallback): AgreementSnapshot | undefined {
  const parsed = WireAgreement.safeParse(data);
  if (!parsed.success) return undefined;
  const wire = parsed.data;
  const identity = identityOf(wire, fallback);
  if (identity === undefined) return undefined;
  return {
    uid: identity.uid, // Not spread, which would cost as much as all the rest.
    state: identity.state,
    causedBy: wire.state_caused_by ?? undefined,
    reason: reasonFrom(wire.state_reason),
    mmsAgreementId: wire.mms_agreement_id ?? undefined,
    createdAt: wire.created_at,
    mandate: WireMandate.parse(data),
  };
}

/** The payment in `data` (docs/provider.md#payments-resource); undefined if it is not recognisable. */
export function paymentFrom(data: unknown, fallback: Fallback): PaymentSnapshot | undefined {
  const parsed = WirePayment.safeParse(data);
  if (!parsed.success) return undefined;
  const wire = parsed.data;
  const identity = identityOf(wire, fallback);
  if (identity === undefined) return undefined;
  return {
    uid: identity.uid,
    state: identity.state,
    order: orderFrom(WireOrder.parse(data)),
    debtor: wire.debtor ?? undefined,
    failure: failureFrom(wire.failure),
    createdAt: wire.created_at,
  };
}

/** The refund in `data` (docs/provider.md#refunds); undefined if it is not recognisable. */
export function refundFrom(data: unknown, fallback: Fallback): RefundSnapshot | undefined {
  const parsed = Refund.safeParse(isObject(data) ? boundedObject(data) : undefined);
  if (!parsed.success) return undefined;
  const wire = parsed.data;
  const identity = identityOf({ uid: wire.uid, id: undefined, state: wire.state }, fallback);
  if (identity === undefined) return undefined;
  const { original_payment_uid, refund_payment: paid } = wire;
  return {
    ...identity,
    order: {
      ...(typeof original_payment_uid === 'string' && { original_payment_uid }),
      refund_payment: {
        type: paid?.type ?? undefined,
        uid: paid?.uid ?? undefined,
        agreement_uid: paid?.agreement_uid ?? undefined,
        float_bank_account_id: paid?.float_bank_account_id ?? undefined,
        amount: paid?.amount ?? undefined,
        description: paid?.description ?? undefined,
      },
    },
    failure: failureFrom(wire.failure),
    createdAt: wire.created_at,
  };
}

/** The client in an answer (docs/provider.md#clients); undefined without an id. Its state is the status of its PayTo service. */
export function clientFrom(
  wire: Client,
  { uid, state }: { uid: string; state: string },
): ClientSnapshot | undefined {
  if (typeof wire.id !== 'string') return undefined;
  const { data: particulars = {} } = ClientAnswered.safeParse(wire);
  const { services } = wire;
  return {
    uid,
    clientId: wire.id,
    state: services == null ? state : (services.payto ?? 'not_configured'),
    particulars,
    createdAt: wire.created_at,
  };
}

/** A reason as an object, or as a string: a code or a sentence (docs/provider.md#differences). */
export function reasonFrom(value: unknown): Reason | undefined {
  if (typeof value === 'string') return fromWord(value);
  if (!isObject(value)) return undefined;
  const { code, title, detail, narrative } = WireReason.parse(value);
  return someOf({
    code: code ?? undefined,
    title: title ?? undefined,
    detail: detail ?? undefined,
    narrative: narrative ?? undefined,
    next: adviceFor(code),
  });
}

/** The failure of a payment (docs/provider.md#payments-failures). `retryable` is true only if the provider states so. */
function failureFrom(value: unknown): PaymentFailure | undefined {
  if (typeof value === 'string') return fromWord(value);
  if (!isObject(value)) return undefined;
  const { code, title, detail, retryable } = WireReason.parse(value);
  return someOf({
    code: code ?? undefined,
    title: title ?? undefined,
    detail: detail ?? undefined,
    retryable: retryable ?? undefined,
    next: adviceFor(code),
  });
}

/** Our uid is the key. `id` replaces it only if we have no uid, as in lists. */
function identityOf(
  wire: Pick<WireAgreement, 'uid' | 'id' | 'state'>,
  fallback: Fallback,
): { uid: string; state: string } | undefined {
  const named = wire.uid ?? wire.id ?? undefined;
  const uid = fallback.uid ?? named;
  if (uid === undefined || (named === undefined && typeof wire.state !== 'string')) return undefined;
  if (typeof wire.uid === 'string' && wire.uid !== uid) return undefined;
  return { uid, state: wire.state ?? fallback.state };
}

const ORDER_TEXTS = ['agreement_uid', 'priority', 'reference', 'description', 'creditor_reference'] as const;

function orderFrom(wire: WireOrder): Partial<PaymentOrder> {
  const order: Partial<PaymentOrder> = {
    creditor: wire.creditor,
    last_payment: wire.last_payment,
    metadata: wire.metadata,
  };
  if (typeof wire.amount === 'number') order.amount = wire.amount;
  for (const key of ORDER_TEXTS) {
    const value = wire[key];
    if (typeof value === 'string') order[key] = value;
  }
  return order;
}

function fromWord(word: string): Reason | undefined {
  if (word === '') return undefined;
  return /^\S{1,64}$/.test(word) ? { code: word, next: adviceFor(word) } : { detail: word };
}

/** Advice for a person on a provider code; undefined if the table has none. */
const adviceFor = (code: string | null | undefined): string | undefined =>
  typeof code === 'string' ? errorRow(code)?.advice : undefined;

function someOf<Parts extends object>(parts: Parts): Parts | undefined {
  return Object.values(parts).some((part) => part !== undefined) ? parts : undefined;
}
