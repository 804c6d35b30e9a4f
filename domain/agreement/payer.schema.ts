// Data about the payer, which the provider requires to look up a PayID (docs/provider.md#checks).
import { z } from 'zod';
import { UidSchema } from './mandate.schema.js';

const isAddress = (text: string): boolean =>
  z.ipv4().safeParse(text).success || z.ipv6().safeParse(text).success;

export const PayerSchema = z
  .strictObject({
    requester_id: UidSchema.meta({
      description: 'Your id of the payer. The provider limits PayID look-ups per id.',
      example: 'customer-77',
    }),
    remote_ip: z.string().refine(isAddress, 'expected an IP address, version 4 or 6').meta({
      description: 'The payer’s own IP address, not a server’s. It is deleted once the agreement is created.',
      example: '203.0.113.7',
    }),
  })
  .meta({ id: 'Payer', description: 'Required if the debtor or the creditor is identified by a PayID.' });
export type Payer = z.output<typeof PayerSchema>;
