// `payto attention`: every open flag, with what to do.
import type { Command } from 'commander';
import { ApiProblem, type Attention } from '../../../client/create.js';
import { pagesOf, type Api } from '../api.js';
import { contextOf, printJson, printLines, type Context } from '../context.js';
import { flagLines } from '../describe.js';
import type { Resource } from '../find.js';
import { KINDS, pluralOf, type Kind } from '../kinds.js';
import type { Io } from '../io.js';

type Flagged = Pick<Resource, 'uid' | 'id' | 'attention'>;

/** Adds the command. */
export function addAttention(program: Command, io: Io): void {
  program
    .command('attention')
    .summary('print all open flags, and what to do about each')
    .description(
      'Prints every resource that needs a person: its flags, and what to do. `payto resolve` ends a flag.',
    )
    .option('--connection <id>', 'only of this connection')
    .option('--flag <code>', 'only this flag, such as parked', 'any')
    .action(async (flags: AttentionFlags, self: Command) => printAttention(contextOf(self, io), flags));
}

interface AttentionFlags {
  connection?: string;
  flag: string;
}

async function printAttention(context: Context, flags: AttentionFlags): Promise<void> {
  const api = await context.api();
  let [resources, count] = [0, 0];
  for (const kind of KINDS) {
    for await (const { uid, attention } of flaggedOf(context, api, kind, flags)) {
      resources += 1;
      count += attention.length;
      if (context.isJson)
        for (const flag of attention) await printJson(context, { kind: kind.name, uid, ...flag });
      else
        await printLines(context, [
          `${kind.name} ${uid}`,
          ...attention.flatMap((flag) =>
            flagLines(flag, { locale: context.locale, width: context.textWidth }),
          ),
          '',
        ]);
    }
  }
  const [flagsInWords, resourcesInWords] = [counted(count, 'flag'), counted(resources, 'resource')];
  if (!context.isJson)
    context.io.note(
      count === 0
        ? 'No flag is open.'
        : `${flagsInWords} on ${resourcesInWords}. \`payto resolve <uid> <flag> --reason <text>\` ends one.`,
    );
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

async function* flaggedOf(
  { io }: Context,
  api: Api,
  kind: Kind,
  { connection, flag }: AttentionFlags,
): AsyncGenerator<{ uid: string; attention: readonly Attention[] }> {
  // There are at most 100 endpoints, and their list has no filters.
  const hasFilter = kind.name !== 'webhook-endpoint';
  if (!hasFilter && connection !== undefined) return;
  try {
    for await (const page of pagesOf(api, {
      path: kind.list.path,
      query: hasFilter ? { attention: flag, connection } : {},
    }))
      for (const row of page as Flagged[]) {
        const uid = row.uid ?? row.id ?? '';
        const attention = row.attention.filter(({ code }) => flag === 'any' || code === flag);
        if (attention.length > 0) yield { uid, attention };
      }
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 403) throw error;
    io.note(`The key must not read ${pluralOf(kind.name)}, so their flags are missing.`);
  }
}
