// The most expensive functions of a CPU profile, as V8 writes it.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

export const CpuProfile = z.object({
  nodes: z.array(
    z.object({
      id: z.int(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.int() }),
    }),
  ),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
});
export type CpuProfile = z.output<typeof CpuProfile>;

export interface Cost {
  /** Function, file and line. */
  what: string;
  /** Self time. */
  ms: number;
  /** Of all time that is not idle. */
  share: number;
}

const IDLE = new Set(['(idle)', '(program)', '(root)']);

/** Self times of all profiles together, the longest first. Idle time does not count. */
export function mostExpensive(profiles: readonly CpuProfile[], count: number): Cost[] {
  const msOf = new Map<string, number>();
  for (const { nodes, samples, timeDeltas } of profiles) {
    const names = new Map(nodes.map((node) => [node.id, nameOf(node)]));
    for (const [index, id] of samples.entries()) {
      const name = names.get(id);
      if (name === undefined) continue;
      msOf.set(name, (msOf.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
    }
  }
  const busy = [...msOf.values()].reduce((sum, ms) => sum + ms, 0);
  return [...msOf]
    .map(([what, ms]) => ({ what, ms, share: ms / busy }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, count);
}

function nameOf({
  callFrame: { functionName, url, lineNumber },
}: CpuProfile['nodes'][number]): string | undefined {
  if (IDLE.has(functionName)) return undefined;
  const file = url.replace(/^file:\/\//, '').replace(/^.*\/node_modules\//, '');
  return `${functionName || '(anonymous)'} ${file === '' ? '' : `${file}:${lineNumber + 1}`}`.trim();
}

/** All threads of a process. @param folder of its profiles. */
export async function readProfiles(folder: string, pid: number): Promise<CpuProfile[]> {
  const files = (await readdir(folder)).filter((file) => file.split('.').includes(String(pid)));
  return Promise.all(
    files.map(async (file) => CpuProfile.parse(JSON.parse(await readFile(join(folder, file), 'utf8')))),
  );
}
