// `payto login` and `payto profile`: the file with the URL and the key.
import type { Command } from 'commander';
import { ApiProblem, answerOf } from '../../../client/create.js';
import { explained, openApi } from '../api.js';
import { contextOf, printJson, printLines, type Context } from '../context.js';
import { usage } from '../failure.js';
import { profileFile, profileNameOf, readProfile, targetOf, writeProfile } from '../profile.js';
import type { Io } from '../io.js';

interface LoginFlags {
  sandbox?: string;
  console?: string;
}

/** Adds the commands. */
export function addLogin(program: Command, io: Io): void {
  program
    .command('login')
    .summary('store the URL and the API key in a profile')
    .description(
      'Stores the URL and the API key in a file that only you can read. The key is read from --key-file, from the\n' +
        'terminal, or from standard input: `payto login --profile acme --url https://payto.example < key`.',
    )
    .option('--sandbox <url>', 'of the sandbox, for `payto trigger`')
    .option('--console <url>', 'of the console, for `payto open`: https://admin.example/console')
    .action(async (flags: LoginFlags, self: Command) => login(contextOf(self, io), flags));
  program
    .command('profile')
    .summary('print which API and profile the commands use')
    .description('Prints the URL and the profile that the commands use, without the key.')
    .action(async (_: object, self: Command) => {
      const context = contextOf(self, io);
      const { url } = await targetOf(context.flags, io);
      const file = profileFile(profileNameOf(context.flags, io), io);
      const stored = await readProfile(context.flags, io);
      if (context.isJson) return printJson(context, { url, profile: file, exists: stored !== undefined });
      return printLines(context, [
        `API      ${url}`,
        `Profile  ${file}${stored === undefined ? ' (does not exist)' : ''}`,
      ]);
    });
}

async function login(context: Context, pages: LoginFlags): Promise<void> {
  const { io, flags } = context;
  const url = flags.url ?? io.environment.PAYTO_URL;
  if (url === undefined) throw usage('expected --url with the base URL of the API');
  const file = profileFile(profileNameOf(flags, io), io);
  const key = await keyFor(context);
  const target = await targetOf({ url }, { ...io, environment: { PAYTO_API_KEY: key } });
  const api = openApi(target, io.signal);
  try {
    await answerOf(api.client.GET('/v1/agreements', { params: { query: { per_page: 1 } } }));
  } catch (error) {
    const cause = await explained(error, api);
    // A key without the scope `read`, or one that is bound to connections, is valid too.
    const isValid = cause instanceof ApiProblem && (cause.status === 403 || cause.status === 422);
    if (!isValid) throw cause;
  }
  await writeProfile(file, { url: target.url, key, sandbox: pages.sandbox, console: pages.console });
  io.note(`The API accepts the key. Stored in ${file}, which only you can read.`);
}

async function keyFor({ io, flags }: Context): Promise<string> {
  if (flags.keyFile !== undefined)
    return (await targetOf({ keyFile: flags.keyFile, url: 'http://localhost' }, io)).apiKey;
  const text = io.isInteractive
    ? await io.ask('API key (not displayed): ', { isSecret: true })
    : await io.readAll();
  const key = text.trim();
  if (key === '' || /\s/.test(key)) throw usage('expected one API key and nothing else');
  return key;
}
