import { notSent } from '../../activities/failure.js';
import { SHIPPED, type Rules } from './rules.js';

export const withSecondAttemptCalling = (): Rules => ({ ...SHIPPED, requireOnlyAttempt: () => undefined });

export const withSecondAttemptUnsent = (): Rules => ({
  ...SHIPPED,
  requireOnlyAttempt: () => {
    throw notSent('not_marked');
  },
});
