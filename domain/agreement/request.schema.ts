// What callers may say to start an agreement.
import type { z } from 'zod';
import { MandateSchema, UidSchema } from './mandate.schema.js';
import { isAlias } from './mandate.js';
import { PayerSchema } from './payer.schema.js';

/** What the rules of a mandate look at. */
type Judged = Pick<
  z.output<typeof MandateSchema>,
  | 'debtor'
  | 'creditor'
  | 'cancel_if_unresolved'
  | 'resolution_requested_before'
  | 'validity_start_date'
  | 'validity_end_date'
> & { payer?: z.output<typeof PayerSchema> | undefined };

const byItsRules = <Schema extends z.ZodType<Judged>>(schema: Schema): Schema =>
  schema
    .refine(
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
    )
    .refine((body) => body.cancel_if_unresolved !== true || body.resolution_requested_before !== undefined, {
      path: ['resolution_requested_before'],
      message: 'expected a resolution_requested_before, since cancel_if_unresolved is set',
    })
    .refine(inOrder, {
      path: ['validity_end_date'],
      message: 'expected an end on or after validity_start_date',
    });

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

function inOrder(body: {
  validity_start_date?: string | undefined;
  validity_end_date?: string | undefined;
}): boolean {
  const { validity_start_date: start, validity_end_date: end } = body;
  return start === undefined || end === undefined || start <= end;
}
