// The bodies of requests about an onboarding. Each part has the schema of its own route.
import { z } from 'zod';
import { OnboardedAgreement } from '../agreement/request.schema.js';
import { CreateClient } from '../client/request.schema.js';
import { CreateCounterparty } from '../counterparty/request.schema.js';
import { UidSchema, text } from '../agreement/mandate.schema.js';
import { RequestPayment } from '../payment/request.schema.js';

const uid = UidSchema.optional().meta({
  description: 'Default: derived from the id of the onboarding.',
});

const NewClient = CreateClient.omit({ connection: true }).extend({ uid }).meta({ id: 'OnboardedClient' });
const OnboardedClient = z.union([
  NewClient,
  z
    .strictObject({ uid: UidSchema })
    .meta({ description: 'Names a client that this API follows, by its uid.' }),
  z.strictObject({ client_id: text(64) }).meta({ description: 'Names a client by the provider’s id.' }),
]);
export type OnboardedClient = z.output<typeof OnboardedClient>;

/** It belongs to the client of the onboarding, so it names none. */
const OnboardedCounterparty = CreateCounterparty.omit({ connection: true, client_id: true })
  .extend({ uid })
  .meta({ id: 'OnboardedCounterparty' });

/** No `submit_before`, because the time of the payer's decision is unknown. It is sent on the Sydney day on which they accept. */
const OnboardedPayment = RequestPayment.omit({ submit_before: true })
  .extend({ uid })
  .meta({ id: 'OnboardedPayment' });

export const StartOnboarding = z
  .strictObject({
    id: UidSchema.optional().meta({
      description: 'Default: derived from the connection and the Idempotency-Key.',
    }),
    connection: UidSchema.optional().meta({
      description: 'The connection of every part. Optional if there is only one.',
    }),
    client: OnboardedClient.optional().meta({
      description:
        'The client that initiates the agreement: a new one to register, or an existing one. It also initiates corrected agreements. Without this field, the agreement names its client.',
    }),
    counterparty: OnboardedCounterparty.optional().meta({
      description:
        'The payer. The worker verifies and registers its accounts before it creates anything else.',
    }),
    agreement: OnboardedAgreement,
    payment: OnboardedPayment.optional().meta({
      description: 'The first payment, taken after the payer has accepted.',
    }),
  })
  .meta({ id: 'StartOnboarding' });
export type StartOnboarding = z.output<typeof StartOnboarding>;

/** The requested parts. */
export type PartsRequest = Omit<StartOnboarding, 'id' | 'connection'>;

/** The request as stored to compare repeats. A payer's IP address is used only once, so it is not stored. */
export function withoutRemoteIp(requested: PartsRequest): object {
  const withoutIt = (key: string, value: unknown): unknown => (key === 'remote_ip' ? undefined : value);
  return JSON.parse(JSON.stringify(requested, withoutIt)) as object;
}

const reason = text(256).meta({ description: 'The reason; stored with the onboarding.' });

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
    'expected exactly one part: the one at which the onboarding is stopped',
  )
  .meta({
    id: 'CorrectOnboarding',
    description:
      'The whole part at which the onboarding is stopped. Correct an `unverified` counterparty with `POST /v1/counterparties/{uid}/correction`, and the details of a registered client with `PATCH /v1/clients/{uid}`. The onboarding then continues.',
  });
export type CorrectOnboarding = z.output<typeof CorrectOnboarding>;

export const OnboardingReason = z.strictObject({ reason }).meta({ id: 'OnboardingReason' });
