// Responses for onboardings, built from the views of their workflows. Personal data is only in the linked resources.
import { z } from 'zod';
import {
  COMMAND_KINDS,
  ONBOARDING_STEPS,
  PARTS,
  STEP_STATES,
  pathOf,
} from '../../../domain/onboarding/steps.js';
import { ACTORS } from '../../../domain/onboarding/reading.js';
import {
  ONBOARDING_STATES,
  type OnboardingView,
  type StepView,
} from '../../../workflows/onboarding/contract.js';
import { recordedLinks, type TemporalUi } from '../links.js';
import { apiResource } from '../resource.js';
import type { Gateway } from '../../gateway/create.js';
import { OnboardingParams } from '../../http/parameters.schema.js';
import {
  FOLLOWED,
  InstantSchema,
  REQUESTED,
  followedOf,
  linksSchema,
  requestedOf,
} from '../../http/answer-parts.schema.js';

const Failure = z.object({ code: z.string().nullable(), title: z.string().nullable() });

const Step = z
  .object({
    step: z.enum(ONBOARDING_STEPS),
    state: z.enum(STEP_STATES).meta({
      description:
        '`waiting`: an earlier step is not done. `under_way`: it is in progress. `done`: it has ended well. `stopped`: it needs the action in `next`. `skipped`: a caller skipped it.',
    }),
    since: InstantSchema.meta({ description: 'When the step entered this state.' }),
    resource: z
      .object({
        uid: z.string(),
        state: z
          .string()
          .nullable()
          .meta({ description: 'The state of the resource when it was last read. Null until then.' }),
        link: z.string(),
      })
      .nullable()
      .meta({ description: 'The resource of the step. Null until it is started.' }),
    failure: Failure.nullable().meta({ description: 'Why the step stopped. Null if no reason was given.' }),
    next: z.string().nullable().meta({
      description:
        'What happens next, or what you must do if the step is stopped. Null if nothing is left to do.',
    }),
    who_acts: z.enum(ACTORS).meta({
      description:
        'Who must act before the step can continue. `caller` is you. `none`: it has ended or has not started.',
    }),
  })
  .meta({ id: 'OnboardingStep' });

const Onboarding = z
  .object({
    id: z.string(),
    connection: z.string(),
    state: z.enum(ONBOARDING_STATES).meta({
      description: '`stopped`: the current step needs a decision. `done` and `abandoned`: it has ended.',
    }),
    state_since: InstantSchema,
    ...REQUESTED,
    client_id: z.string().nullable().meta({
      description:
        'The provider’s id of the client that initiates the agreement. Null until the provider returns it.',
    }),
    steps: z.array(Step).meta({ description: 'Steps in order. Parts that were not requested have no step.' }),
    commands: z
      .array(
        z.object({
          kind: z.enum(COMMAND_KINDS),
          step: z.enum(ONBOARDING_STEPS),
          reason: z.string(),
          by: z.string().meta({ description: 'The principal that sent the command.' }),
          at: InstantSchema,
        }),
      )
      .meta({ description: 'Shows the commands that callers sent, newest last.' }),
    left_behind: z
      .array(
        z.object({
          part: z.enum(PARTS),
          uid: z.string(),
          state: z.string().nullable(),
          link: z.string(),
        }),
      )
      .meta({
        description:
          'Resources that were started but no longer belong to the onboarding. They continue independently.',
      }),
    ...FOLLOWED,
    links: linksSchema({}),
  })
  .meta({ id: 'Onboarding' });
type Onboarding = z.output<typeof Onboarding>;

function stepAnswer({
  step,
  state,
  since,
  part,
  uid,
  reading,
  next,
  actor,
}: StepView): Onboarding['steps'][number] {
  const { failure } = reading ?? {};
  return {
    step,
    state,
    since,
    resource: uid === undefined ? null : { uid, state: reading?.state ?? null, link: pathOf(part, uid) },
    failure: failure === undefined ? null : { code: failure.code ?? null, title: failure.title ?? null },
    next: next ?? null,
    who_acts: actor,
  };
}

const onboardingAnswer = (ui: TemporalUi, view: OnboardingView): Onboarding => ({
  id: view.id,
  connection: view.connectionId,
  state: view.state,
  state_since: view.stateSince,
  ...requestedOf(view),
  client_id: view.clientId ?? null,
  steps: view.steps.map(stepAnswer),
  commands: view.commands.map(({ key: _, ...said }) => said),
  left_behind: view.leftBehind.map(({ part, uid, state }) => ({
    part,
    uid,
    state: state ?? null,
    link: pathOf(part, uid),
  })),
  ...followedOf(view),
  links: recordedLinks(ui, 'onboarding', view.id, {}),
});

export const ONBOARDING = apiResource<{
  View: OnboardingView;
  Answer: Onboarding;
  Gateway: Gateway['onboardings'];
}>({
  name: 'onboarding',
  tag: 'onboardings',
  gateway: ({ onboardings }) => onboardings,
  schema: Onboarding,
  answer: onboardingAnswer,
  // It has ended, or a person must act.
  isDecided: ({ state, attention }) =>
    state !== 'under_way' ||
    attention.some(({ code }) => code === 'parked' || code === 'needs_reauthorisation'),
  guide: {
    read: 'onboarding.md#read-an-onboarding',
    fields:
      '`steps` has the resource of each step. If a step is `stopped`, its `next` names the request that continues it, and `who_acts` names who must act.',
    decided: 'the onboarding stops, ends, or waits for an operator or for consent',
  },
  parameter: { name: 'id', schema: OnboardingParams },
});
