// What callers may say to start an agreement.
import type { z } from 'zod';
import { MandateSchema, UidSchema } from './mandate.schema.js';
import { isAlias } from './mandate.js';
import { PayerSchema } from './payer.schema.js';

/** What the rules of a mandate look at. */
type Judged = Pick<z.output<typeof MandateSchema>, 'debtor' | 'creditor'> & {
  payer?: z.output<typeof PayerSchema> | undefined;
};

const byItsRules = <Schema extends z.ZodType<Judged>>(schema: Schema): Schema =>
  schema.refine(
    ({ payer, debtor, creditor }) =>
      payer !== undefined ||
      ![debtor.account_identifier, creditor?.account_identifier].some(
        (account) => account !== undefined && isAlias(account),
      ),
    {
      path: ['payer'],
      message:
        'expected a payer {requester_id, remote_ip}, since a PayID is looked up before the agreement is made',
    },
  );

export const CreateAgreement = byItsRules(
  MandateSchema.extend({
    uid: UidSchema,
    connection: UidSchema.optional().meta({
      description: 'Which connection to use; may be left out where there is only one.',
    }),
    payer: PayerSchema.optional(),
  }),
).meta({ id: 'CreateAgreement' });
export type CreateAgreement = z.output<typeof CreateAgreement>;

/** As a part of an onboarding, which has the connection. */
export const OnboardedAgreement = byItsRules(
  MandateSchema.extend({
    uid: UidSchema.optional().meta({ description: 'Left out, it is derived from that of the onboarding.' }),
    payer: PayerSchema.optional(),
  }),
).meta({ id: 'OnboardedAgreement' });
export type OnboardedAgreement = z.output<typeof OnboardedAgreement>;
