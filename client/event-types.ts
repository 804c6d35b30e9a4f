// The types of events, each with the resource that it is about.
import type {
  Agreement,
  Batch,
  InitiatingClient,
  Connection,
  Counterparty,
  Event,
  Onboarding,
  Payment,
  Refund,
  UnmatchedCredit,
} from './generated/types.gen.js';

/** An event. A check of `type` also gives `data` its type. A later release may send other types: ignore them. */
export type PaytoEvent = EventOf<Event['type']>;

/** The event with this type, such as `EventOf<'payment.settled'>`. */
export type EventOf<Type extends Event['type']> = Type extends unknown
  ? Omit<Event, 'type' | 'data'> & { type: Type; data: DataOf<FamilyOf<Type>> }
  : never;

/** What an endpoint of the form `thin` receives. Read the resource at `resource.url`. */
export type ThinEvent = Omit<Event, 'data' | 'previous' | 'flag' | 'type'> & {
  type: Event['type'] | TestEvent['type'];
};

/** The event of `POST /v1/webhook-endpoints/{id}/test`, which only an endpoint receives. */
export type TestEvent = Omit<Event, 'type'> & { type: 'webhook_endpoint.test' };

export type WebhookEvent = PaytoEvent | TestEvent;

/** A type, or all types that begin with a word: `payment.*`. */
export type EventFilter = Event['type'] | `${FamilyOf<Event['type']>}.*`;

type FamilyOf<Type extends string> = Type extends `${infer Family}.${string}` ? Family : never;

type DataOf<Family extends string> = Family extends keyof Resources ? Resources[Family] : Event['data'];

/** By the first word of the type. `attention.*` and others are about any resource. */
interface Resources {
  agreement: Agreement;
  batch: Batch;
  client: InitiatingClient;
  connection: Connection;
  counterparty: Counterparty;
  credit: UnmatchedCredit;
  onboarding: Onboarding;
  payment: Payment;
  plan: Agreement;
  refund: Refund;
}
