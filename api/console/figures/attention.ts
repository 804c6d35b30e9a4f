// The raised flags of all resources by their kind, oldest first.
import type { Attention, AttentionCode } from '../../../domain/attention/flags.js';
import { RESOURCES, type ResourceName } from '../../../domain/resources.js';
import { words } from '../format.js';
import { hrefOf } from '../places.js';
import type { Visit } from '../visit.js';
import { connectionsOf } from './scope.js';

export interface FlagGroup {
  code: AttentionCode;
  flagged: { kind: string; uid: string; since: string; next: string; href: string | undefined }[];
  /** A list had more than one page. */
  isCut: boolean;
}

type Listed = Exclude<ResourceName, 'stop'>;
const LISTED = Object.keys(RESOURCES).filter((name): name is Listed => name !== 'stop');
const MOST = 200;

interface Row {
  uid?: string;
  id?: string;
  attention: readonly Attention[];
}

/** @returns `unread`: the lists that could not be read. */
export async function attentionOf({ api, key }: Visit): Promise<{ groups: FlagGroup[]; unread: string[] }> {
  const lists = LISTED.flatMap((name) => connectionsOf(key).map((connection) => ({ name, connection })));
  const read = await Promise.all(
    lists.map(async ({ name, connection }) => {
      const query = new URLSearchParams({
        ...{ attention: 'any', sort: 'created', per_page: String(MOST) },
        ...(connection !== undefined && { connection }),
      });
      const path = `/v1/${RESOURCES[name].plural}?${query.toString()}`;
      return { name, ...(await api.read<{ data: Row[] }>(path)) };
    }),
  );
  const groups = new Map<AttentionCode, FlagGroup>();
  for (const { name, answer } of read)
    for (const row of answer?.data ?? []) add(groups, name, row, answer?.data.length === MOST);
  const all = [...groups.values()];
  for (const { flagged } of all) flagged.sort((a, b) => a.since.localeCompare(b.since));
  return {
    groups: all.toSorted((a, b) => (a.flagged[0]?.since ?? '').localeCompare(b.flagged[0]?.since ?? '')),
    unread: [
      ...new Set(read.flatMap(({ name, problem }) => (problem ? [words(RESOURCES[name].plural)] : []))),
    ],
  };
}

function add(groups: Map<AttentionCode, FlagGroup>, name: Listed, row: Row, isCut: boolean): void {
  const uid = row.uid ?? row.id ?? '';
  for (const { code, since, next } of row.attention) {
    const group = groups.get(code) ?? { code, flagged: [], isCut: false };
    group.flagged.push({ kind: words(name), uid, since, next, href: hrefOf(name, uid) });
    groups.set(code, { ...group, isCut: group.isCut || isCut });
  }
}
