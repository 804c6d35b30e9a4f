// `payto show` and `payto open`: one resource, and its pages.
import type { Command } from 'commander';
import { contextOf, printJson, printLines, type Context } from '../context.js';
import { describe } from '../describe.js';
import { EXIT, Failure } from '../failure.js';
import { findResource, type Found } from '../find.js';
import type { Io } from '../io.js';

/** The kind may be left out: `show pay-1`, `show payment pay-1`. */
export async function foundIn(context: Context, first: string, second: string | undefined): Promise<Found> {
  const [kind, uid] = second === undefined ? [undefined, first] : [first, second];
  return findResource(await context.api(), uid, kind);
}

/** Adds the commands. */
export function addShow(program: Command, io: Io): void {
  program
    .command('show <kind-or-uid> [uid]')
    .summary('print a resource: state, wait, flags, money')
    .description(
      'Prints a resource. Without a kind, it is searched: `payto show pay-1`, `payto show payment pay-1`.',
    )
    .action(async (first: string, second: string | undefined, _: object, self: Command) => {
      const context = contextOf(self, io);
      const found = await foundIn(context, first, second);
      if (context.isJson) return printJson(context, { kind: found.kind.name, ...found.resource });
      return printLines(context, describe(found, { locale: context.locale, width: context.textWidth }));
    });
  program
    .command('open <kind-or-uid> [uid]')
    .summary('print the link to Temporal’s UI')
    .description('Prints the links of a resource to pages for people.')
    .action(async (first: string, second: string | undefined, _: object, self: Command) => {
      const context = contextOf(self, io);
      const { kind, uid, resource } = await foundIn(context, first, second);
      const { temporal_ui: temporalUi } = resource.links;
      if (context.isJson)
        return printJson(context, { kind: kind.name, uid, temporal_ui: temporalUi ?? null });
      if (temporalUi != null) return printLines(context, [temporalUi]);
      throw new Failure(
        EXIT.failed,
        `The API has no link to Temporal’s UI for ${kind.name} ${uid}. TEMPORAL_UI_URL of the API sets the address.`,
      );
    });
}
