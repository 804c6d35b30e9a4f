// How much a test of many does: little in the tier that it is of, and much in `npm run test:long`.
import { env } from 'node:process';

export const isLong = env['TEST_SIZE'] === 'long';
export const sizeOf = (short: number, long: number): number => (isLong ? long : short);
