// The body that resolves an unmatched credit, and those that acknowledge notifications.
import { z } from 'zod';
import { NOT_NEAR, isNear } from '../time/near.js';
import { UidSchema, text } from '../agreement/mandate.schema.js';
import { CREDIT_DECISIONS } from './credit.js';

export const ResolveCredit = z
  .strictObject({
    decision: z.enum(CREDIT_DECISIONS).meta({
      description:
        '`matched`: it pays a payment or an agreement. `returned`: it was sent back to the payer. `kept`: it is ours without a match. `ignored`: nothing is to be done, for example because the notification is false.',
    }),
    payment_uid: UidSchema.optional().meta({ description: 'Only for `matched`: the payment that it pays.' }),
    agreement_uid: UidSchema.optional().meta({
      description: 'Only for `matched`: the agreement, if it pays no single payment.',
    }),
    reason: text(256).meta({
      description: 'Why you decide so; stored with the case.',
      example: 'The payer paid by transfer, call 7.',
    }),
  })
  .refine(hasItsMatch, {
    error:
      'expected exactly one of payment_uid and agreement_uid with `matched`, and none with another decision',
    path: ['payment_uid'],
  })
  .meta({ id: 'ResolveCredit' });

function hasItsMatch(given: {
  decision: string;
  payment_uid?: string | undefined;
  agreement_uid?: string | undefined;
}): boolean {
  const count = [given.payment_uid, given.agreement_uid].filter((uid) => uid !== undefined).length;
  return count === (given.decision === 'matched' ? 1 : 0);
}

export const AcknowledgeNotification = z
  .strictObject({
    reason: text(256).meta({
      description: 'How you have dealt with it; stored with the notification.',
      example: 'The dispute was answered, case 7.',
    }),
  })
  .meta({ id: 'AcknowledgeNotification' });

const instant = (description: string) =>
  z.iso
    .datetime({ error: 'expected an RFC 3339 instant in UTC, ending in Z', abort: true })
    .refine(isNear, NOT_NEAR)
    .transform((at) => new Date(at).toISOString())
    .meta({ description, example: '2026-10-01T00:00:00Z' });

export const AcknowledgeNotifications = z
  .strictObject({
    type: z
      .string()
      .min(1)
      .max(100)
      .meta({ description: 'Acknowledges notifications of exactly this type.', example: 'debit.cleared' }),
    received_from: instant('Received at or after this time.').optional(),
    received_before: instant('Received before this time.'),
    dry_run: z.boolean().default(false).meta({ description: 'Only count, and change nothing.' }),
    reason: text(256).meta({
      description: 'How you have dealt with them; stored with each.',
      example: 'Another system handles debits.',
    }),
  })
  .meta({ id: 'AcknowledgeNotifications' });
