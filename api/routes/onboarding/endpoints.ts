import { ONBOARDING_STEPS } from '../../../domain/onboarding/steps.js';
import type { Endpoint } from '../../http/contract.js';
import { listQuery } from '../../http/list-parameters.schema.js';
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
    description:
      'Use this to find onboardings, for example those that wait for the payer (`state=payer_decision`).',
    query: listQuery(PLACES),
  }),
  getOf(ONBOARDING, { summary: 'Get an onboarding, its steps and the next action' }),
  ...commandOnboarding,
];
