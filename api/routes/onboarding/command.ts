// The commands of onboardings: a table of endpoints with a shared handler.
import type { z } from 'zod';
import type { CommandKind, Parts } from '../../../domain/onboarding/steps.js';
import { CorrectOnboarding, OnboardingReason } from '../../../domain/onboarding/request.schema.js';
import type { OnboardingView } from '../../../workflows/onboarding/contract.js';
import { ONBOARDING } from './answer.schema.js';
import { bodyOf, contract, endpoint, json, type Endpoint } from '../../http/contract.js';
import { callerOf } from '../../http/caller.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import { found } from '../../http/problems/errors.js';
import { digestOf, scopedKey } from '../../http/idempotency.js';
import { judgedParts } from './parts.js';
import { wouldRefuse } from '../provider-check.js';
import { withinBinding } from '../within-binding.js';
import { KeyHeaders, OnboardingParams, WaitQuery } from '../../http/parameters.schema.js';
import { answerInTime } from '../resource.js';
import type { Task } from '../resource-descriptions.js';

interface Command {
  kind: CommandKind;
  operationId: string;
  summary: string;
  description: string;
  task: Task;
  /** The reason and, for a correction, the corrected part. */
  body: z.ZodType<CorrectOnboarding>;
}

/** Of every command. */
const REPEAT = 'A repeat with the same `Idempotency-Key` changes nothing.';

const TABLE: readonly Command[] = [
  {
    kind: 'correction',
    operationId: 'correctOnboarding',
    summary: 'Correct the part that stopped an onboarding, and continue',
    description:
      'Call this if `next` of a `stopped` step says so. The body has the whole corrected part, which replaces the stopped one under a new uid. The previous resource moves to `left_behind`. ' +
      'The onboarding then continues: listen for `onboarding.resumed`. If the step is not stopped, the request is refused with `step_not_stopped` or `other_step_stopped`.',
    task: 'onboarding.md#correct-a-stopped-onboarding',
    body: CorrectOnboarding,
  },
  {
    kind: 'skip',
    operationId: 'skipOnboardingStep',
    summary: 'Skip the counterparty of an onboarding, if no verification is required',
    description:
      'Continues an onboarding whose counterparty stopped, without a verified payer. The counterparty moves to `left_behind`. ' +
      'For any other step, or if the client requires a verification, the request is refused with `step_not_skippable`.',
    task: 'onboarding.md#skip-the-counterparty',
    body: OnboardingReason,
  },
  {
    kind: 'resumption',
    operationId: 'resumeOnboarding',
    summary: 'Resume a stopped onboarding by reading the current part again',
    description:
      'Call this after you have removed the cause of a stop elsewhere. The worker reads the resource of the current step again, and continues or stops again. ' +
      'It sends nothing twice, so you can always call it.',
    task: 'onboarding.md#resume-an-onboarding',
    body: OnboardingReason,
  },
  {
    kind: 'abandonment',
    operationId: 'abandonOnboarding',
    summary: 'Abandon an onboarding; the resources in `left_behind` continue',
    description:
      'Ends an onboarding for good, for example because the payer declined, and starts no further step. Started resources move to `left_behind` and continue: ' +
      'for example, cancel the agreement with `POST /v1/agreements/{uid}/cancellation`. The event is `onboarding.abandoned`.',
    task: 'onboarding.md#abandon-an-onboarding',
    body: OnboardingReason,
  },
];

function command({ kind, body: schema, description, ...words }: Command): Endpoint {
  const stated = contract({
    method: 'post',
    path: `/v1/onboardings/{id}/${kind}`,
    tags: ['onboardings'],
    ...words,
    description: `${description} ${REPEAT}`,
    access: 'write',
    connection: 'onboarding',
    request: { params: OnboardingParams, query: WaitQuery, headers: KeyHeaders, body: bodyOf(schema) },
    answers: { 202: json('Accepted. `steps` shows the progress.', ONBOARDING.one) },
    problems: [404, 409, 410, 422, 429, 503],
  });
  return endpoint(stated, (dependencies) => async (c) => {
    const { temporal } = dependencies;
    const { id } = c.req.valid('param');
    const body = c.req.valid('json');
    const key = scopedKey(c, c.req.valid('header')['Idempotency-Key']);
    const parts = await partsIn(withinBinding(dependencies, callerOf(c)), body, {
      id,
      key,
      principal: c.get('principal'),
    });
    const use = { key, uid: id, body: digestOf(body) };
    await temporal.onboardings.command(id, { kind, reason: body.reason, by: c.get('principal'), use, parts });
    return c.json(await answerInTime(ONBOARDING, dependencies, c, id), 202);
  });
}

/** The corrected parts, validated as at the start. A repeat passes even if it would be refused by now. */
async function partsIn(
  dependencies: ApiDependencies,
  { reason: _, ...requested }: CorrectOnboarding,
  of: { id: string; key: string; principal: string },
): Promise<Partial<Parts> | undefined> {
  if (Object.keys(requested).length === 0) return undefined;
  const view = found(await dependencies.temporal.onboardings.view(of.id), 'an onboarding');
  const within = { ...of, connectionId: view.connectionId };
  const { parts, faults } = await judgedParts(dependencies, requested, within, partsInEffect(view));
  const isRepeat = view.commands.some(({ key }) => key === of.key);
  if (faults.length > 0 && !isRepeat) throw wouldRefuse(dependencies, faults);
  return parts;
}

/** The parts without a skipped counterparty, which verifies no payer. */
function partsInEffect({ parts: { counterparty, ...parts }, steps }: OnboardingView): Partial<Parts> {
  const isSkipped = steps.some(({ part, state }) => part === 'counterparty' && state === 'skipped');
  return isSkipped ? parts : { ...parts, counterparty };
}

export const commandOnboarding = TABLE.map(command);
