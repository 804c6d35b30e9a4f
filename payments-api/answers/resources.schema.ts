// The provider's other resources, under its own field names. As tolerant as wire.schema.ts: any field may be null, absent
// or malformed, unknown fields are kept, and the values of closed lists are plain strings.
import { z } from 'zod';
import { PARTY, fieldsOf } from '../shapes.js';
import { LEAVES, anything, flag, instant, integer, text } from './wire.schema.js';

const part = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape).nullish().catch(undefined);
const list = <Item extends z.ZodType>(item: Item) => z.array(item).nullish().catch(undefined);

const related = <Item extends z.ZodType>(item: Item) => part({ data: list(item) });

const Failure = part({ code: text, title: text, detail: text });
const Party = part(fieldsOf(PARTY, LEAVES));

/** docs/provider.md#amendments. Known states: pending, created, applied, declined, expired, failed, recalled. */
export const Amendment = z.looseObject({
  agreement_uid: text,
  state: text,
  /** The proposer: debtor or initiator. */
  actor: text,
  changes: part({ description: text, validity_end_date: text, payment_terms: anything, creditor: Party }),
  failure: Failure,
  resolution_requested_before: instant,
  created_at: instant,
});
export type Amendment = z.output<typeof Amendment>;

/** docs/provider.md#refunds. Known states: created, processing, processed, failed. */
export const Refund = z.looseObject({
  uid: text,
  original_payment_uid: text,
  state: text,
  refund_payment: part({
    type: text,
    uid: text,
    agreement_uid: text,
    float_bank_account_id: text,
    /** Cents. */
    amount: integer,
    description: text,
  }),
  failure: Failure,
  created_at: instant,
});

/** docs/provider.md#clients. A service is pending, active, suspended, off_boarded or null. */
export const Client = z.looseObject({
  id: text,
  type: text,
  legal_name: text,
  business_names: list(z.string()),
  australian_business_number: text,
  australian_company_number: text,
  merchant_category_code: text,
  parent_client_id: text,
  services: part({ payto: text, rtp: text, de: text }),
  created_at: instant,
});
export type Client = z.output<typeof Client>;

/** docs/provider.md#counterparties. Its other fields are not published. */
export const Counterparty = z.looseObject({
  uid: text,
  id: text,
  identity: part({ legal_name: text, verification: anything }),
  payment_accounts: list(
    z.looseObject({ uid: text, account_identifier: LEAVES.account, verification: anything }),
  ),
});
export type Counterparty = z.output<typeof Counterparty>;

/** docs/provider.md#checks. The name of the PayID's owner. Never show it to the payer. */
export const AliasResolution = z.looseObject({ display_name: text });

/** docs/provider.md#checks. Known results: match, close_match, no_match, account_closed. */
export const AccountValidation = z.looseObject({
  uid: text,
  outcome: part({ result: text, match_name: text, message: text }),
  insights: part({ risk_score: anything, is_joint: flag, suggested_payment_channels: anything }),
});

/** docs/provider.md#float-accounts. */
export const FloatAccount = z.looseObject({
  id: text,
  account_type: text,
  branch_code: text,
  bank_name: text,
  account_number: text,
  status: text,
  title: text,
  /** Cents; null if it is not a float account. */
  available_balance: integer,
  payid_configs: list(
    z.looseObject({
      email_domain: text,
      pooling_state: text,
      max_pool_size: integer,
      current_pool_size: integer,
    }),
  ),
});
export type FloatAccount = z.output<typeof FloatAccount>;

/** docs/provider.md#float-accounts. */
export const FloatAccountEntry = z.looseObject({
  id: text,
  created_at: instant,
  description: text,
  /** Cents: positive for a credit, negative for a debit. */
  amount: integer,
  available_balance_after: integer,
});
export type FloatAccountEntry = z.output<typeof FloatAccountEntry>;

/** docs/provider.md#webhooks-deliveries. Not loose: its secret would allow signing as the provider, so we drop it here. */
export const Webhook = z.object({ id: text, url: text, events: list(z.string()) });
export type Webhook = z.output<typeof Webhook>;

/** docs/provider.md#webhooks-deliveries. Known states: pending, completed, retrying, failed. Only a single delivery contains its webhook and payload. */
export const WebhookDelivery = z.looseObject({
  id: text,
  webhook_id: text,
  event_type: text,
  state: text,
  response_status_code: integer,
  created_at: instant,
  payload_data_summary: list(z.looseObject({ ref: text })),
  /** The pushed body, including names and accounts. Never log it. */
  payload: anything,
});
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

/** The user and account that the token belongs to. The answer contains names and addresses. Never log it. */
export const User = z.looseObject({ account: part({ nickname: text, abn: text }) });
export type User = z.output<typeof User>;

/** Disputes and settlement reports are JSON:API resources. */
const DisputeEvent = z.looseObject({
  id: text,
  type: text,
  attributes: part({ at: instant, title: text, detail: text }),
});

/** A PDF uploaded as evidence. */
export const EvidenceUpload = z.looseObject({ id: text, type: text, attributes: part({ urn: text }) });
export type EvidenceUpload = z.output<typeof EvidenceUpload>;

/** Known states: open, awaiting_merchant, closed. */
export const Dispute = z.looseObject({
  id: text,
  type: text,
  attributes: part({ raised_at: instant, state: text }),
  relationships: part({ events: related(DisputeEvent), uploads: related(EvidenceUpload) }),
});
export type Dispute = z.output<typeof Dispute>;

/** The download link of a settlement report, and its expiry. */
export const SettlementReport = z.looseObject({
  attributes: part({ download_link: part({ url: text, expires_at: instant }) }),
});
