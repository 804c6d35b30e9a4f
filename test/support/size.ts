import { env } from 'node:process';

export const isLong = env['TEST_SIZE'] === 'long';
export const sizeOf = (short: number, long: number): number => (isLong ? long : short);
