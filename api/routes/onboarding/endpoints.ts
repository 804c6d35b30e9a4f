import type { Endpoint } from '../../http/contract.js';
import { OnboardingsQuery } from '../../http/list-parameters.schema.js';
import { getOf, listOf } from '../resource.js';
import { ONBOARDING } from './answer.schema.js';
import { commandOnboarding } from './command.js';
import { startOnboarding } from './start.js';

export const onboardingEndpoints: readonly Endpoint[] = [
  startOnboarding,
  listOf(ONBOARDING, {
    summary: 'List onboardings by step, pending event or attention flag',
    query: OnboardingsQuery,
  }),
  getOf(ONBOARDING, { summary: 'Get an onboarding, its steps and the next action' }),
  ...commandOnboarding,
];
