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
        'Who initiates the agreement: a client to be registered, or one that is there. Left out, the agreement says.',
    }),
    counterparty: OnboardedCounterparty.optional().meta({
      description: 'The payer, to be verified and registered before the agreement is made.',
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

const reason = text(256).meta({ description: 'Why; kept with the onboarding.' });

export const CorrectOnboarding = z
  .strictObject({
    reason,
    client: OnboardedClient.optional(),
    counterparty: OnboardedCounterparty.optional(),
    agreement: OnboardedAgreement.optional(),
    payment: OnboardedPayment.optional(),
  })
  .refine(({ client, counterparty, agreement, payment }) => {
    const isWithAgreement = counterparty !== undefined && agreement !== undefined;
    const parts = [client, counterparty, agreement, payment].filter((part) => part !== undefined);
    return parts.length === (isWithAgreement ? 2 : 1);
  }, 'expected one part: the one at which the onboarding is stopped; beside a counterparty also the agreement, where that is to name another account')
  .meta({
    id: 'CorrectOnboarding',
    description:
      'The part at which it is stopped, whole; with the counterparty also the agreement, where its debtor is to be another account.',
  });
export type CorrectOnboarding = z.output<typeof CorrectOnboarding>;

export const OnboardingReason = z.strictObject({ reason }).meta({ id: 'OnboardingReason' });
