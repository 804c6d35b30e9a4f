// `payto show` and `payto open`: one resource, and its pages.
import type { Command } from 'commander';
import { contextOf, printJson, printLines, type Context } from '../context.js';
import { describe } from '../describe.js';
import { EXIT, Failure } from '../failure.js';
import { findResource, type Found } from '../find.js';
import { readProfile } from '../profile.js';
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
    .summary('print the links to the console and to Temporal’s UI')
    .description(
      'Prints the links of a resource to pages for people. The console has pages of agreements and payments, if\n' +
        'PAYTO_CONSOLE_URL or the profile has its address.',
    )
    .action(async (first: string, second: string | undefined, _: object, self: Command) => {
      const context = contextOf(self, io);
      const { kind, uid, resource } = await foundIn(context, first, second);
      const { temporal_ui: temporalUi = null } = resource.links;
      const consolePage = await consolePageOf(context, kind.name, uid);
      if (context.isJson)
        return printJson(context, { kind: kind.name, uid, console: consolePage, temporal_ui: temporalUi });
      const links = [consolePage, temporalUi].filter((link) => link !== null);
      if (links.length > 0) return printLines(context, links);
      throw new Failure(
        EXIT.failed,
        `There is no link for ${kind.name} ${uid}. TEMPORAL_UI_URL of the API sets the address of Temporal’s UI, and PAYTO_CONSOLE_URL here that of the console.`,
      );
    });
}

/** The kinds that have a page in the console. */
const CONSOLE_PAGES: ReadonlyMap<string, string> = new Map([
  ['agreement', 'agreements'],
  ['payment', 'payments'],
]);

/** Null if the kind has no page, or no address of the console is set. */
async function consolePageOf({ flags, io }: Context, kind: string, uid: string): Promise<string | null> {
  const base = io.environment.PAYTO_CONSOLE_URL ?? (await readProfile(flags, io))?.console;
  const page = CONSOLE_PAGES.get(kind);
  return base === undefined || page === undefined
    ? null
    : `${base.replace(/(?<!\/)\/+$/, '')}/${page}/${encodeURIComponent(uid)}`;
}
