// Commands of operators for one resource: resolve, look-up, withdraw and retry.
import type { Command } from 'commander';
import { answerOf, type Attention } from '../../../client/create.js';
import { act, pathFor, withApproval, withKey, withReason, withYes, type ActFlags } from '../act.js';
import { contextOf, type Context } from '../context.js';
import { EXIT, Failure } from '../failure.js';
import { words } from '../format.js';
import { findResource, type Found, type Resource } from '../find.js';
import { foundIn } from './show.js';
import type { Api } from '../api.js';
import type { Io } from '../io.js';

const RESOLVE = {
  agreement: '/v1/agreements/{uid}/attention/{code}/resolution',
  payment: '/v1/payments/{uid}/attention/{code}/resolution',
  refund: '/v1/refunds/{uid}/attention/{code}/resolution',
  client: '/v1/clients/{uid}/attention/{code}/resolution',
  counterparty: '/v1/counterparties/{uid}/attention/{code}/resolution',
  'webhook-endpoint': '/v1/webhook-endpoints/{id}/attention/{code}/resolution',
} as const;
const LOOK_UP = {
  agreement: '/v1/agreements/{uid}/look-up',
  payment: '/v1/payments/{uid}/look-up',
  refund: '/v1/refunds/{uid}/look-up',
  client: '/v1/clients/{uid}/look-up',
} as const;
const WITHDRAW = {
  payment: '/v1/payments/{uid}/withdrawal',
  counterparty: '/v1/counterparties/{uid}/withdrawal',
} as const;
const RETRY = { payment: '/v1/payments/{uid}/retry' } as const;

type ActPath = (typeof RESOLVE & typeof LOOK_UP & typeof WITHDRAW & typeof RETRY)[keyof typeof RESOLVE];

interface Answer {
  data: Resource;
}

/** All of these paths answer with the resource. */
const post = ({ client }: Api, path: string, params: object, body: object): Promise<Answer> =>
  answerOf(client.POST(path as ActPath, { params, body } as never) as never);

/** Adds the commands. */
export function addResourceActs(program: Command, io: Io): void {
  addResolve(program, io);
  const lookUp = program
    .command('look-up <kind-or-uid> [uid]')
    .summary('read the state of a resource from the provider now')
    .description(
      'Fetches the state from the provider now. It changes nothing there, so it asks for no confirmation.',
    );
  lookUp.action(async (first: string, second: string | undefined, _: ActFlags, self: Command) => {
    const context = contextOf(self, io);
    const found = await foundIn(context, first, second);
    const path = pathFor(LOOK_UP, found.kind.name, 'look-up');
    const effect = `The worker looks up ${named(found)} at the provider.`;
    await send(context, found, { effect, path, flags: { yes: true }, body: {} });
  });
  const withdraw = program
    .command('withdraw <kind-or-uid> [uid]')
    .summary('withdraw a payment that was not sent, or give up a counterparty')
    .description(
      'Withdraws a payment that was never sent, or gives up a counterparty. Neither can be undone.',
    );
  withKey(withYes(withReason(withdraw))).action(
    async (first: string, second: string | undefined, flags: ActFlags, self: Command) => {
      const context = contextOf(self, io);
      const found = await foundIn(context, first, second);
      const path = pathFor(WITHDRAW, found.kind.name, 'withdrawal');
      const effect = `This withdraws ${named(found)} (${stateOf(found.resource)}). It will never be sent, and this cannot be undone.`;
      await send(context, found, { effect, path, flags, body: { reason: flags.reason } });
    },
  );
  const retry = program
    .command('retry <kind-or-uid> [uid]')
    .summary('retry a failed payment under the same uid')
    .description('Retries a failed payment under the same uid. The provider takes the money again.');
  withKey(withYes(retry)).action(
    async (first: string, second: string | undefined, flags: ActFlags, self: Command) => {
      const context = contextOf(self, io);
      const found = await foundIn(context, first, second);
      const path = pathFor(RETRY, found.kind.name, 'retry');
      const effect = `This retries ${named(found)} (${stateOf(found.resource)}): the money is requested from the payer again.`;
      await send(context, found, { effect, path, flags, body: {} });
    },
  );
}

interface ResolveFlags extends ActFlags {
  decision?: string;
  clientId?: string;
  kind?: string;
}

function addResolve(program: Command, io: Io): void {
  const command = program
    .command('resolve <uid> <flag>')
    .summary('resolve an attention flag')
    .description(
      'Resolves a flag with a reason; blocked work then resumes. `payto attention` lists the flags.',
    )
    .option('--kind <kind>', 'if several resources have the uid')
    .option('--decision <decision>', 'only for parked: adopt (it is yours) or close (give it up)')
    .option('--client-id <id>', 'adopt a client: its id at the provider');
  withKey(withYes(withApproval(withReason(command)))).action(
    async (uid: string, code: string, flags: ResolveFlags, self: Command) => {
      const context = contextOf(self, io);
      const found = await findResource(await context.api(), uid, flags.kind);
      const flag = found.resource.attention.find((one) => one.code === code);
      if (flag === undefined) throw noFlag(found, code);
      const path = pathFor(
        RESOLVE,
        found.kind.name,
        'flag that you can resolve; it clears when its cause ends',
      );
      const body = { reason: flags.reason, decision: flags.decision, client_id: flags.clientId };
      await send(context, found, { effect: effectOf(found, flag, flags), path, flags, body, code });
    },
  );
}

const noFlag = (found: Found, code: string): Failure => {
  const open = found.resource.attention.map((flag) => flag.code).join(', ');
  return new Failure(EXIT.notFound, `${named(found)} has no flag ${code}. Open flags: ${open || 'none'}.`);
};

const DECIDED: Readonly<Record<string, string>> = {
  adopt:
    'It is then treated as the one that you requested; if the provider has none, the worker looks again.',
  close: 'It is then given up. If the provider has it all the same, it may still be carried out.',
};

const effectOf = (found: Found, { code, detail }: Attention, { decision = '' }: ResolveFlags): string =>
  [
    `This resolves the flag ${code} of ${named(found)} (${stateOf(found.resource)}): ${detail}`,
    DECIDED[decision],
  ]
    .filter(Boolean)
    .join(' ');

interface Sent {
  effect: string;
  path: string;
  flags: ActFlags;
  body: object;
  code?: string;
}

async function send(
  context: Context,
  { kind, uid }: Found,
  { effect, path, flags, body, code }: Sent,
): Promise<void> {
  const api = await context.api();
  await act(context, {
    ...{ effect, flags },
    send: (header) => post(api, path, { path: { uid, id: uid, code }, header }, body),
    result: ({ data }) => [
      `Done. ${kind.name} ${uid}: ${stateOf(data)}; flags: ${data.attention.map((flag) => flag.code).join(', ') || 'none'}.`,
    ],
  });
}

const named = ({ kind, uid }: Found): string => `${kind.name} ${uid}`;
const stateOf = ({ state, status }: Resource): string => words(state ?? status ?? 'no state');
