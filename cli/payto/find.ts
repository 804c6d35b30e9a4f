// Finds a resource by its uid, also if its kind is not given.
import { ApiProblem, answerOf, type Attention, type Awaiting } from '../../client/create.js';
import { EXIT, Failure, usage } from './failure.js';
import { KINDS, kindOf, type Kind } from './kinds.js';
import type { Api } from './api.js';

/** What answers about all kinds have, as far as commands use it. */
export interface Resource {
  uid?: string;
  id?: string;
  state?: string;
  status?: string;
  attention: readonly Attention[];
  awaiting?: Awaiting;
  links: { temporal_ui?: string | null };
}

export interface Found {
  kind: Kind;
  uid: string;
  resource: Resource;
}

/** @throws ApiProblem such as 404. */
export async function getResource(
  { client }: Api,
  kind: Kind,
  uid: string,
  waitSeconds?: number,
): Promise<Found> {
  const query = waitSeconds === undefined ? {} : { wait: waitSeconds };
  const params = { path: { [kind.key]: uid }, query } as never;
  const { data }: { data: Resource } = await answerOf(client.GET(kind.get, { params }) as never);
  return { kind, uid, resource: data };
}

/** @param kindName if it is given. @throws Failure if no kind has the uid, or several have it. */
export async function findResource(api: Api, uid: string, kindName?: string): Promise<Found> {
  if (kindName !== undefined) return getResource(api, kindOf(kindName), uid);
  const tried = await Promise.allSettled(KINDS.map((kind) => getResource(api, kind, uid)));
  const found = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined)
    throw usage(
      `${uid} is the uid of ${found.map(({ kind }) => kind.name).join(' and ')}: name the kind, such as \`${first.kind.name} ${uid}\``,
    );
  const problems = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  throw problems.find((problem) => !isAbsence(problem)) ?? none(uid, problems);
}

/** 400: the form of the uid is not one of this kind. */
const isAbsence = (problem: unknown): boolean =>
  problem instanceof ApiProblem &&
  problem.code !== undefined &&
  (problem.status === 404 || problem.status === 400);

function none(uid: string, problems: readonly unknown[]): unknown {
  const isMalformed = problems.every((problem) => problem instanceof ApiProblem && problem.status === 400);
  if (isMalformed) return problems[0];
  return new Failure(EXIT.notFound, `Nothing has the uid ${uid}, or the key must not see it.`);
}
