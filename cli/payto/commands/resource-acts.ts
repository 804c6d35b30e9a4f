// Commands of operators for one resource: resolve, look-up, withdraw and retry.
import type { Command } from 'commander';
import { answerOf, type Attention } from '../../../client/create.js';
import { act, pathFor, withApproval, withKey, withReason, withYes, type ActFlags } from '../act.js';
import { contextOf, type Context } from '../context.js';
import { EXIT, Failure, usage } from '../failure.js';
import { words } from '../format.js';
import { findResource, type Found, type Resource } from '../find.js';
import { instantOf } from '../read-arguments.js';
import { repairInBulk, type RepairFlags } from './repair.js';
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
  addRetry(program, io);
}

interface RetryFlags extends RepairFlags {
  failure?: string;
  on?: string;
  from?: string;
  until?: string;
  agreement?: string;
}

function addRetry(program: Command, io: Io): void {
  const command = program
    .command('retry [kind-or-uid] [uid]')
    .summary('retry a failed payment, or all that match a filter')
    .description(
      'Retries a failed payment under the same uid. The provider takes the money again.\n' +
        'Without a uid, it retries all failed payments that match the options below: a dry run first, then a batch.',
    )
    .option('--failure <code>', 'only payments whose last failure has this code, such as AM04')
    .option('--on <day>', 'only payments that failed on this day in Sydney, such as 2026-11-12')
    .option('--from <time>', 'only payments that failed at this time or later', (text) => instantOf(text))
    .option('--until <time>', 'only payments that failed before this time', (text) => instantOf(text))
    .option('--agreement <uid>', 'only payments under this agreement')
    .option('--reason <text>', 'why; required in bulk, and stored with your principal');
  withKey(withYes(inBulk(command))).action(
    async (first: string | undefined, second: string | undefined, flags: RetryFlags, self: Command) => {
      const context = contextOf(self, io);
      const filter = failedIn(flags);
      const isFiltered = Object.keys(filter).length > 0 || flags.connection !== undefined;
      if (isFiltered === (first !== undefined)) throw usage(EITHER);
      if (first === undefined)
        return repairInBulk(context, {
          path: '/v1/retries',
          effect: 'This retries failed payments: the money is requested from the payers again.',
          ...{ flags, filter },
        });
      const found = await foundIn(context, first, second);
      const path = pathFor(RETRY, found.kind.name, 'retry');
      const effect = `This retries ${named(found)} (${stateOf(found.resource)}): the money is requested from the payer again.`;
      await send(context, found, { effect, path, flags, body: {} });
    },
  );
}

const EITHER = 'expected the uid of one resource, or options that choose many, and not both';

const inBulk = (command: Command): Command =>
  command
    .option('--connection <id>', 'in bulk: only of this connection')
    .option('--dry-run', 'in bulk: only print what would be done');

const failedIn = ({ failure, on, from, until, agreement }: RetryFlags) => ({
  ...(failure !== undefined && { failure_code: failure }),
  ...(on !== undefined && { failed_on: on }),
  ...(from !== undefined && { failed_from: from }),
  ...(until !== undefined && { failed_until: until }),
  ...(agreement !== undefined && { agreement_uid: agreement }),
});

interface ResolveFlags extends RepairFlags {
  flag?: string;
  decision?: string;
  clientId?: string;
  kind?: string;
}

function addResolve(program: Command, io: Io): void {
  const command = program
    .command('resolve [uid] [flag]')
    .summary('resolve an attention flag, or a flag of all resources that have it')
    .description(
      'Resolves a flag with a reason; blocked work then resumes. `payto attention` lists the flags.\n' +
        'With --flag, it resolves that flag of all resources that have it: a dry run first, then a batch.',
    )
    .option('--flag <code>', 'in bulk: the flag to resolve, such as parked')
    .option('--kind <kind>', 'if several resources have the uid; in bulk: only this kind')
    .option('--decision <decision>', 'only for parked: adopt (it is yours) or close (give it up)')
    .option('--client-id <id>', 'adopt a client: its id at the provider')
    .option('--reason <text>', 'why; required, and stored with your principal');
  withKey(withYes(withApproval(inBulk(command)))).action(
    async (uid: string | undefined, code: string | undefined, flags: ResolveFlags, self: Command) => {
      const context = contextOf(self, io);
      if ((flags.flag === undefined) === (uid === undefined)) throw usage(EITHER);
      if (flags.flag !== undefined) return resolveInBulk(context, flags.flag, flags);
      if (uid === undefined || code === undefined) throw usage('expected the uid and the flag');
      if (flags.reason === undefined) throw usage('expected --reason <text>');
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

const resolveInBulk = (context: Context, flag: string, flags: ResolveFlags): Promise<void> =>
  repairInBulk(context, {
    path: '/v1/resolutions',
    effect: [`This resolves the flag ${flag} of many resources.`, DECIDED[flags.decision ?? '']]
      .filter(Boolean)
      .join(' '),
    flags,
    filter: { flag, ...(flags.kind !== undefined && { resource: flags.kind }) },
    decision: flags.decision,
  });

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
