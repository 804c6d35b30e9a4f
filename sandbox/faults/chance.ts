// Chance that can be had again: the same seed, rule and turn always give the same number.
import { createHash } from 'node:crypto';

const RANGE = 2 ** 32;

/**
 * From 0 up to, but not including, 1. Each rule draws numbers of its own, so what one rule meets does not depend on
 * the calls that only others look at.
 */
export function chance(seed: string, rule: number, turn: number): number {
  return createHash('sha256').update(`${seed}/${rule}/${turn}`).digest().readUInt32BE(0) / RANGE;
}
