// The initiator as callers write it: until 20260901 by its business numbers, from then on by its client (interface 9).
import { z } from 'zod';
import { asciiText } from '../http/wire.schema.js';

export const LegacyInitiator = z.strictObject({
  name: asciiText(140).nullish(),
  legal_name: asciiText(140).nullish(),
  abn: z
    .string()
    .regex(/^\d{11}$/, 'must be 11 digits')
    .nullish(),
  acn: z
    .string()
    .regex(/^\d{9}$/, 'must be 9 digits')
    .nullish(),
});
export type LegacyInitiator = z.output<typeof LegacyInitiator>;

export const ClientId = z.string().min(1).max(64);

export const CurrentInitiator = z.strictObject({
  name: asciiText(140).nullish(),
  client_id: ClientId.nullish(),
});
export type CurrentInitiator = z.output<typeof CurrentInitiator>;
