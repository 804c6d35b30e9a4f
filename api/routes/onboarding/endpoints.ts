import { z } from 'zod';
import { ONBOARDING_STEPS } from '../../../domain/onboarding/steps.js';
import type { Endpoint } from '../../http/contract.js';
import { listed } from '../../http/list-parameters.schema.js';
import { getOf, listOf } from '../resource.js';
import { ONBOARDING } from './answer.schema.js';
import { commandOnboarding } from './command.js';
import { startOnboarding } from './start.js';

/** The current step, or the final state. */
const PLACES = [...ONBOARDING_STEPS, 'done', 'abandoned'] as const;

export const onboardingEndpoints: readonly Endpoint[] = [
  startOnboarding,
  listOf(ONBOARDING, {
    summary: 'List onboardings by step, pending event or attention flag',
    query: z.strictObject(listed(PLACES)),
  }),
  getOf(ONBOARDING, { summary: 'Get an onboarding, its steps and the next action' }),
  ...commandOnboarding,
];
