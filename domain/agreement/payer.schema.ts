// Who is asked to accept an agreement, as far as the provider wants to know before a PayID is used (docs/provider.md#checks).
import { z } from 'zod';
import { UidSchema } from './mandate.schema.js';

export const PayerSchema = z
  .strictObject({
    requester_id: UidSchema.meta({
      description: 'Who asks, as the caller knows them: look-ups of PayIDs are counted by it.',
      example: 'customer-77',
    }),
    remote_ip: z.union([z.ipv4(), z.ipv6()], 'expected an IP address, version 4 or 6').meta({
      description:
        'The payer’s own address, and not that of a server. It is not kept once the agreement is created.',
      example: '203.0.113.7',
    }),
  })
  .meta({ id: 'Payer', description: 'Needed where the debtor or the creditor is named by a PayID.' });
export type Payer = z.output<typeof PayerSchema>;
