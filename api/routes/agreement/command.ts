// The agreement commands that go to the provider: a table of endpoints with a shared handler.
import type { z } from 'zod';
import {
  AmendAgreement,
  CancelAgreement,
  IdentifyAgreement,
  NoBody,
  SuspendAgreement,
} from '../../../domain/agreement/action.schema.js';
import type { ActionCommand } from '../../../domain/agreement/action.js';
import type { RecordedAgreementView } from '../../../workflows/agreement/contract.js';
import type { Intended } from '../../../payments-api/requests/intended.js';
import { AGREEMENT } from './answer.schema.js';
import { bodyOf, contract, endpoint, json, optionalBodyOf, type Endpoint } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { callerOf } from '../../http/caller.js';
import { scopedKey } from '../../http/idempotency.js';
import { assertMayIdentify } from '../initiator-check.js';
import { withinBinding } from '../within-binding.js';
import { assertSendable } from '../provider-check.js';
import { KeyHeaders, UidParams, WaitQuery } from '../../http/parameters.schema.js';
import { answerInTime } from '../resource.js';
import type { Task } from '../resource-descriptions.js';

interface Command {
  path: string;
  operationId: string;
  summary: string;
  /** What only this command does. */
  description: string;
  task: Task;
  /** Parses the caller's body into the command for the agreement. */
  command: z.ZodType<ActionCommand>;
  /** The command of a path that needs no body. */
  plain?: ActionCommand;
}

const saidByPath = (
  command: Extract<ActionCommand, { body: { [key: string]: never } }>,
): Pick<Command, 'command' | 'plain'> => ({
  command: NoBody.transform(() => command),
  plain: command,
});

/** Of every command. */
const OUTCOME =
  'The worker sends the command to the provider, and the outcome follows: `actions` shows it as `done`, `failed` or `refused`, and `wait` delays the answer until then. ' +
  'A repeat with the same `Idempotency-Key` sends nothing again.';

const TABLE: readonly Command[] = [
  {
    path: 'suspension',
    operationId: 'suspendAgreement',
    summary: 'Suspend an agreement and its payments',
    description:
      'Pauses an active agreement, for example while a customer takes a break. New payments are refused with `agreement_not_active` until you reactivate it; ' +
      'the payer’s consent stays. Listen for `agreement.suspended`.',
    task: 'agreement.md#suspend-an-agreement',
    command: SuspendAgreement.transform((body) => ({ kind: 'suspension' as const, body })),
  },
  {
    path: 'reactivation',
    operationId: 'reactivateAgreement',
    summary: 'Reactivate a suspended agreement (not one that the payer suspended)',
    description:
      'Makes a suspended agreement active again, so that it allows payments. Listen for `agreement.reactivated`. If the payer suspended it, the request is ' +
      'refused with `suspended_by_payer`: only the payer can reactivate it, in their bank’s app.',
    task: 'agreement.md#reactivate-an-agreement',
    ...saidByPath({ kind: 'reactivation', body: {} }),
  },
  {
    path: 'cancellation',
    operationId: 'cancelAgreement',
    summary: 'Cancel an agreement permanently',
    description:
      'Ends an agreement and its plan, for example because a customer leaves. Listen for `agreement.cancelled`. You cannot undo a cancellation: ' +
      'to debit the payer later, create another agreement.',
    task: 'agreement.md#cancel-an-agreement',
    command: CancelAgreement.transform((body) => ({ kind: 'cancellation' as const, body })),
  },
  {
    path: 'amendment',
    operationId: 'amendAgreement',
    summary: 'Propose new terms, which apply once the payer accepts them',
    description:
      'Changes the terms of an agreement, for example its amount. The old terms apply until the payer accepts the new ones in their bank’s app; the provider may apply ' +
      'another description or creditor without asking them. ' +
      'Listen for `agreement.amended`, `agreement.amendment_declined`, `agreement.amendment_expired` and `agreement.amendment_failed`. ' +
      'While one amendment is pending, another one is refused with `action_pending`.',
    task: 'agreement.md#amend-an-agreement',
    command: AmendAgreement.transform((body) => ({ kind: 'amendment' as const, body })),
  },
  {
    path: 'amendment/recall',
    operationId: 'recallAmendment',
    summary: 'Recall a pending amendment',
    description:
      'Takes back an amendment that the payer has not answered, so the old terms stay. Listen for `agreement.amendment_recalled`. ' +
      'Without a pending amendment, the request is refused with `no_amendment`.',
    task: 'agreement.md#recall-an-amendment',
    ...saidByPath({ kind: 'amendment_recall', body: {} }),
  },
  {
    path: 'identification',
    operationId: 'identifyAgreement',
    summary: 'Add the initiating client or the debtor’s payment account to an older agreement',
    description:
      'Adds identifiers to an agreement that was created with an earlier version of the payments API. The terms stay as they are. ' +
      'Each identifier can be added once and not changed later. A look-up confirms the outcome, because no event reports it. ' +
      'For many agreements, use `POST /v1/identifications`.',
    task: 'agreement.md#identify-an-agreement',
    command: IdentifyAgreement.transform((body) => ({ kind: 'identification' as const, body })),
  },
];

function command({ path, command, plain, description, ...words }: Command): Endpoint {
  const stated = contract({
    method: 'post',
    path: `/v1/agreements/{uid}/${path}`,
    tags: ['agreements'],
    ...words,
    description: `${description} ${OUTCOME}`,
    access: 'write',
    connection: 'agreement',
    request: {
      params: UidParams,
      query: WaitQuery,
      headers: KeyHeaders,
      body: plain ? optionalBodyOf(command) : bodyOf(command),
    },
    answers: { 202: json('Accepted. `actions` shows the outcome later.', AGREEMENT.one) },
    problems: [404, 409, 410, 422, 429, 503],
  });
  return endpoint(stated, (dependencies) => async (c) => {
    const { temporal } = dependencies;
    const { uid } = c.req.valid('param');
    const callersKey = c.req.valid('header')['Idempotency-Key'];
    const key = scopedKey(c, callersKey);
    const requested = plain ?? c.req.valid('json');
    const isIn = (view: RecordedAgreementView | undefined): boolean =>
      view?.actions.some((action) => action.key === key) === true;
    const intended = intendedBy(requested);
    if (intended !== undefined)
      await assertSendable(dependencies, intended, async () => isIn(await temporal.agreements.view(uid)));
    if (requested.kind === 'identification') {
      const view = found(await temporal.agreements.view(uid), 'an agreement');
      const checking = withinBinding(dependencies, callerOf(c));
      if (!isIn(view)) await assertMayIdentify(checking, view, requested.body);
    }
    await temporal.agreements.act(uid, { key, callersKey, by: c.get('principal'), command: requested });
    const isOver = ({ pending }: RecordedAgreementView) => !pending.some((action) => action.key === key);
    return c.json(await answerInTime(AGREEMENT, dependencies, c, uid, { isOver }), 202);
  });
}

/** The request to the provider. Commands without a body need no check. */
function intendedBy(command: ActionCommand): Intended | undefined {
  switch (command.kind) {
    case 'suspension':
      return { operation: 'suspendAgreement', request: command.body };
    case 'cancellation':
      return { operation: 'cancelAgreement', request: command.body };
    case 'amendment':
      return { operation: 'proposeAmendment', request: command.body };
    case 'identification':
      return { operation: 'addIdentification', request: command.body };
    default:
      return undefined;
  }
}

export const commandAgreement = TABLE.map(command);
