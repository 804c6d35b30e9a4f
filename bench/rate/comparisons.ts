// The comparisons as candidates: workflows written by hand, with one worker process and one client process for all.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createProvider } from '../../cli/demo/provider.js';
import type { ProcessGroup } from '../../cli/stack/process-group.js';
import { LOOPBACK, freePort } from '../../temporal-server/free-port.js';
import type { ComparisonName, ComparisonPlan, StateReport, Stimulus } from './comparison-messages.js';
import { startDuties, type DutiesPlan } from './duties.js';
import type { Candidate, Role } from './leg.js';
import { BY_PAYER } from './product.js';
import { createReports, type Reports } from './reports.js';
import { deliverTo, openInbox, type Inbox } from './webhooks.js';

export interface ComparisonsPlan extends Omit<DutiesPlan, 'webhookUrl'> {
  names: readonly ComparisonName[];
  temporalAddress: string;
}

export interface Comparisons {
  candidates: Candidate[];
  close: () => void;
}

const COUNTED: readonly Role[] = ['server', 'worker', 'api'];
const NO_DUTIES: ComparisonPlan['duties'] = {
  ...{ databaseUrl: '', sandboxUrl: '', accessToken: '', encryptionKey: '' },
};

export async function startComparisons(plan: ComparisonsPlan): Promise<Comparisons> {
  const { names, temporalAddress, group } = plan;
  const webhookPort = await freePort();
  const inbox = await openInbox(deliverTo(`http://${LOOPBACK}:${webhookPort}/webhooks`));
  const started = names.includes('duties')
    ? await startDuties({ ...plan, webhookUrl: inbox.url })
    : undefined;
  const duties = started?.duties ?? NO_DUTIES;
  const given = { temporalAddress, names, duties, webhookPort };
  const worker = await startProcess('comparison-worker', given, group);
  const client = await startProcess('comparison-client', given, group);
  const reports = createReports();
  worker.on('message', (message: StateReport) => reports.report(message));
  const pids = { worker: pidOf(worker), api: pidOf(client) };
  const candidates = names.map((name): Candidate => {
    const act = (uid: string, does: Stimulus['does']): void => {
      client.send({ to: name, uid, does } satisfies Stimulus);
    };
    return {
      ...{ name, namespace: name, actionsFactor: 1, reads: () => 0 },
      pids: { ...pids, ...(name === 'duties' && started?.pids) },
      counted: name === 'duties' ? [...COUNTED, 'postgres'] : COUNTED,
      live: LIVES[name]({ act, reports, inbox, sandboxUrl: duties.sandboxUrl }),
    };
  });
  return { candidates, close: inbox.close };
}

/** Resolves when it is ready. It ends with its channel, so also if this process is killed. */
async function startProcess(name: string, plan: ComparisonPlan, group: ProcessGroup): Promise<ChildProcess> {
  const child = fork(new URL(`${name}.ts`, import.meta.url), {
    execArgv: ['--import', 'tsx'],
    detached: true, // Otherwise Ctrl-C would end it first.
  });
  const exited = new Promise<{
    exitCode: number | undefined;
    signal: string | undefined;
    lastLines: string[];
  }>((resolve) =>
    child.once('exit', (code, signal) => {
      resolve({ exitCode: code ?? undefined, signal: signal ?? undefined, lastLines: [] });
    }),
  );
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await exited;
  };
  group.add({ name, pid: pidOf(child), lastLines: [], exited, stop });
  child.send(plan);
  await group.guard(once(child, 'message'));
  return child;
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('expected a started process; the system created none');
  return pid;
}

interface Own {
  /** Starts or signals the workflow. */
  act: (uid: string, does: Stimulus['does']) => void;
  reports: Reports;
  inbox: Inbox;
  sandboxUrl: string;
}

/** The same stimuli as the product gets, and the same waits. */
const LIVES: Record<ComparisonName, (own: Own) => Candidate['live']> = {
  empty:
    ({ act, reports }) =>
    async (uid) => {
      act(uid, 'start');
      const times: number[] = [];
      for (const does of [
        'created',
        'activated',
        'settled',
        'suspended',
        'reactivated',
        'cancelled',
      ] as const)
        times.push(await reports.msUntil([uid, does], () => act(uid, does)));
      return times;
    },
  bare:
    ({ act, reports }) =>
    async (uid) => {
      const payment = `${uid}-payment`;
      act(uid, 'start');
      await reports.msUntil([uid, 'created'], () => act(uid, 'created'));
      const times = [await reports.msUntil([uid, 'active'], () => act(uid, 'activated'))];
      await reports.msUntil([payment, 'submitted'], () => act(uid, 'pay'));
      times.push(await reports.msUntil([payment, 'settled'], () => act(payment, 'settled')));
      for (const [, does, state] of BY_PAYER)
        times.push(await reports.msUntil([uid, state], () => act(uid, does)));
      return times;
    },
  duties: ({ act, reports, inbox, sandboxUrl }) => {
    const provider = createProvider(sandboxUrl, new AbortController().signal);
    return async (uid) => {
      const payment = `${uid}-payment`;
      const visible = async (of: string, [happened, state]: [string, string], cause: () => unknown) => {
        const reported = reports.next(of, state);
        await cause();
        return (await reported) - (await inbox.arrivedAt(of, happened));
      };
      await provider.scriptPayer(uid, { simulate: 'debtor_accept' });
      act(uid, 'start');
      const times = [await visible(uid, ['activated', 'active'], () => act(uid, 'created'))];
      times.push(await visible(payment, ['settled', 'settled'], () => act(uid, 'pay')));
      for (const [action, happened, state] of BY_PAYER)
        times.push(await visible(uid, [happened, state], () => provider.actAsPayer(uid, action)));
      return times;
    };
  },
};
