// One measured leg: many simultaneous lives of one candidate, with the CPU of its processes.
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { cpuMsOf, familyCpuMsOf } from '../process-usage.js';
import { readActions } from './metrics.js';
import { runsIn, type RunFigures } from './runs.js';
import type { RateServer } from './server.js';
import type { LegName } from './options.js';

export const ROLES = ['server', 'worker', 'api', 'postgres', 'sandbox', 'driver'] as const;
export type Role = (typeof ROLES)[number];

export interface Candidate {
  name: LegName;
  /** Temporal's namespace, which no other candidate uses. */
  namespace: string;
  /** Its processes besides the server and this one. */
  pids: Partial<Record<Role, number>>;
  /** The roles whose CPU counts as its price. */
  counted: readonly Role[];
  /** The factor of its billed actions. */
  actionsFactor: number;
  /** Lives one life. @returns the times in ms from webhooks until their states were visible. */
  live: (uid: string) => Promise<number[]>;
  /** The number of reads of the driver so far. */
  reads: () => number;
}

export interface LegResult extends RunFigures {
  livesPerSecond: number;
  cpuMs: Partial<Record<Role, number>>;
  /** The CPU of the counted roles. */
  countedCpuMs: number;
  actions: number;
  reads: number;
  /** All times until a state was visible, in ms. */
  visibleMs: number[];
  failedLives: number;
}

export interface LegPlan {
  label: string;
  lives: number;
  inFlight: number;
  print: (line: string) => void;
}

/** Work of a life after its last state became visible. */
const QUIET_MS = 2000;
const PROGRESS_MS = 5000;

/** All figures are for one life, except the rate, the failures and the times. */
export async function runLeg(server: RateServer, candidate: Candidate, plan: LegPlan): Promise<LegResult> {
  const before = await readAll(server, candidate);
  const since = new Date();
  const startedAt = performance.now();
  const lived = await liveAll(candidate, plan);
  const seconds = (performance.now() - startedAt) / 1000;
  await delay(QUIET_MS);
  const after = await readAll(server, candidate);
  const each = (total: number): number => total / plan.lives;
  const cpuMs: LegResult['cpuMs'] = {};
  for (const role of ROLES) {
    const [from, to] = [before.cpuMs[role], after.cpuMs[role]];
    if (from !== undefined && to !== undefined) cpuMs[role] = each(to - from);
  }
  const runs = await runsIn(server.client(candidate.namespace), since, plan.lives);
  return {
    ...runs,
    ...lived,
    livesPerSecond: plan.lives / seconds,
    cpuMs,
    countedCpuMs: candidate.counted.reduce((sum, role) => sum + (cpuMs[role] ?? 0), 0),
    actions: each(after.actions - before.actions) * candidate.actionsFactor,
    reads: each(after.reads - before.reads),
  };
}

async function liveAll(candidate: Candidate, { label, lives, inFlight, print }: LegPlan) {
  const visibleMs: number[] = [];
  let [ended, failedLives] = [0, 0];
  const showing = setInterval(() => print(`${label}: ${ended} of ${lives} lives`), PROGRESS_MS);
  const limit = pLimit(inFlight);
  const uids = Array.from({ length: lives }, (_, life) => `${label.replaceAll(/\W+/g, '-')}-${life}`);
  await limit.map(uids, async (uid) => {
    try {
      visibleMs.push(...(await candidate.live(uid)));
    } catch (error) {
      failedLives += 1;
      print(`life ${uid} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    ended += 1;
  });
  clearInterval(showing);
  return { visibleMs, failedLives };
}

async function readAll(server: RateServer, { namespace, pids, reads }: Candidate) {
  const own = process.cpuUsage();
  const cpuMs: Partial<Record<Role, number>> = {
    server: await server.cpuMs(),
    driver: (own.user + own.system) / 1000,
  };
  for (const role of ROLES) {
    const pid = pids[role];
    if (pid !== undefined) cpuMs[role] = await (role === 'postgres' ? familyCpuMsOf : cpuMsOf)(pid);
  }
  return { cpuMs, actions: await readActions(server.metricsUrl, namespace), reads: reads() };
}
