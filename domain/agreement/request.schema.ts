// The body that creates an agreement.
import type { z } from 'zod';
import { MandateSchema, UidSchema } from './mandate.schema.js';
import { isAlias } from './mandate.js';
import { PayerSchema } from './payer.schema.js';

/** The fields that the rule for PayIDs reads. */
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
        'expected a payer {requester_id, remote_ip}, because we look up the PayID before we create the agreement',
    },
  );

export const CreateAgreement = byItsRules(
  MandateSchema.extend({
    uid: UidSchema,
    connection: UidSchema.optional().meta({
      description: 'The connection to use. Optional if there is only one.',
    }),
    payer: PayerSchema.optional(),
  }),
).meta({ id: 'CreateAgreement' });
export type CreateAgreement = z.output<typeof CreateAgreement>;

/** In an onboarding, which names the connection itself. */
export const OnboardedAgreement = byItsRules(
  MandateSchema.extend({
    uid: UidSchema.optional().meta({ description: 'Default: derived from the id of the onboarding.' }),
    payer: PayerSchema.optional(),
  }),
).meta({ id: 'OnboardedAgreement' });
export type OnboardedAgreement = z.output<typeof OnboardedAgreement>;
