// The pause between two looks of a watch.
import { Context } from '@temporalio/activity';
import { waitMs } from '../domain/ladder.js';
import { nothingNew } from './failure.js';
import type { ApplicationFailure } from '@temporalio/common';
import type { LadderName } from '../domain/ladder.js';

/** A failed attempt that asks for the next one where its ladder says, give or take 10 %. */
export function waitForNextLook(
  ladder: LadderName,
  why: string,
  type?: 'nothing_new' | 'not_everyone_asked',
): ApplicationFailure {
  const { attempt } = Context.current().info;
  const delayMs = waitMs(ladder, attempt, Math.random());
  return nothingNew(delayMs, `look ${attempt}: ${why}; next look in ${Math.round(delayMs / 1000)} s`, type);
}
