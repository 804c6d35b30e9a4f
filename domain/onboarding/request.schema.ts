// What callers may say of an onboarding: its parts, as their own routes take them, and how it goes on.
import { z } from 'zod';
import { OnboardedAgreement } from '../agreement/request.schema.js';
import { CreateClient } from '../client/request.schema.js';
import { CreateCounterparty } from '../counterparty/request.schema.js';
import { UidSchema, text } from '../agreement/mandate.schema.js';
import { RequestPayment } from '../payment/request.schema.js';

const uid = UidSchema.optional().meta({
  description: 'Left out, it is derived from that of the onboarding.',
});

const NewClient = CreateClient.omit({ connection: true }).extend({ uid }).meta({ id: 'OnboardedClient' });
const OnboardedClient = z.union([
  NewClient,
  z.strictObject({ uid: UidSchema }).meta({ description: 'One that is known here.' }),
  z.strictObject({ client_id: text(64) }).meta({ description: 'One by the provider’s own id.' }),
]);
export type OnboardedClient = z.output<typeof OnboardedClient>;

/** It is for the client of the onboarding. */
const OnboardedCounterparty = CreateCounterparty.omit({ connection: true, client_id: true })
  .extend({ uid })
  .meta({ id: 'OnboardedCounterparty' });

/** When the payer decides is not known: it is sent on the Sydney day on which they have accepted. */
const OnboardedPayment = RequestPayment.omit({ submit_before: true })
  .extend({ uid })
  .meta({ id: 'OnboardedPayment' });

export const StartOnboarding = z
  .strictObject({
    id: UidSchema.optional().meta({
      description: 'Left out, it is derived from the connection and the Idempotency-Key.',
    }),
    connection: UidSchema.optional().meta({
      description: 'The connection it is on; may be left out where there is only one.',
    }),
    client: OnboardedClient.optional().meta({
      description:
        'Who initiates the agreement: a client to register, or one that exists. It initiates corrected agreements as well. Without it, the agreement names its client.',
    }),
    counterparty: OnboardedCounterparty.optional().meta({
      description: 'The payer. Its accounts are verified and registered before anything else is created.',
    }),
    agreement: OnboardedAgreement,
    payment: OnboardedPayment.optional().meta({
      description: 'The first payment, taken once the payer has accepted.',
    }),
  })
  .meta({ id: 'StartOnboarding' });
export type StartOnboarding = z.output<typeof StartOnboarding>;

/** Its parts, in the caller's words. */
export type PartsRequest = Omit<StartOnboarding, 'id' | 'connection'>;

/** What is stored to compare a repeat with: a payer's IP address is used once, and not stored. */
export const withoutRemoteIp = (requested: PartsRequest): object =>
  Object(
    JSON.parse(JSON.stringify(requested, (key, value: unknown) => (key === 'remote_ip' ? undefined : value))),
  );

const reason = text(256).meta({ description: 'Why; kept with the onboarding.' });

export const CorrectOnboarding = z
  .strictObject({
    reason,
    client: OnboardedClient.optional(),
    counterparty: OnboardedCounterparty.optional(),
    agreement: OnboardedAgreement.optional(),
    payment: OnboardedPayment.optional(),
  })
  .refine(
    ({ client, counterparty, agreement, payment }) =>
      [client, counterparty, agreement, payment].filter((part) => part !== undefined).length === 1,
    'expected one part: the one at which the onboarding is stopped',
  )
  .meta({
    id: 'CorrectOnboarding',
    description:
      'The whole part at which the onboarding is stopped. A counterparty that is `unverified` is corrected with `POST /v1/counterparties/{uid}/correction`, and the particulars of a client that the provider has with `PATCH /v1/clients/{uid}`: the onboarding continues after that.',
  });
export type CorrectOnboarding = z.output<typeof CorrectOnboarding>;

export const OnboardingReason = z.strictObject({ reason }).meta({ id: 'OnboardingReason' });
