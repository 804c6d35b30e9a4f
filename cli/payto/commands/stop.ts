// `payto stop`, `resume` and `stops`: the stops of payments.
import type { Command } from 'commander';
import { answerOf, type Stop } from '../../../client/create.js';
import { act, withApproval, withReason, withYes, type ActFlags } from '../act.js';
import { contextOf, printJson, printLines, type Context } from '../context.js';
import { localTime, wrapped } from '../format.js';
import type { Io } from '../io.js';

interface StopFlags extends ActFlags {
  reason: string;
  connection?: string;
  stoppedBy?: string;
}

const scopeOf = ({ connection }: { connection?: string | null }): string =>
  connection == null ? 'all connections' : `connection ${connection}`;

/** Adds the commands. */
export function addStop(program: Command, io: Io): void {
  const stop = program
    .command('stop')
    .summary('stop the payments of one or all connections')
    .description(
      'Stops sending payments within five seconds. It undoes nothing: payments at the provider continue.',
    )
    .option('--connection <id>', 'the connection (default: all of them)');
  withYes(withReason(stop)).action(async (flags: StopFlags, self: Command) => {
    const context = contextOf(self, io);
    const { client } = await context.api();
    const { connection, reason } = flags;
    const body = { reason, ...(connection !== undefined && { connection }) };
    await act(context, {
      effect: `This stops the payments of ${scopeOf(flags)}. Unsent payments wait, and lapse at their submit_before.`,
      flags,
      send: () => answerOf(client.POST('/v1/stop', { body })),
      result: ({ data: { stops } }) => stopLines(context, stops),
    });
  });
  addResume(program, io);
  program
    .command('stops')
    .summary('print the stops in force')
    .description('Prints the stops in force, and how many payments and refunds wait.')
    .action(async (_: object, self: Command) => {
      const context = contextOf(self, io);
      const { client } = await context.api();
      const { data } = await answerOf(client.GET('/v1/stop'));
      if (context.isJson) return printJson(context, data);
      const { waiting } = data;
      const count =
        waiting === null
          ? 'The records are away, so the number of waiting payments is unknown.'
          : `Waiting: payments ${waiting.payments}, refunds ${waiting.refunds}.`;
      return printLines(context, [...stopLines(context, data.stops), count]);
    });
}

function addResume(program: Command, io: Io): void {
  const resume = program
    .command('resume')
    .summary('end your stops of one or all connections')
    .description(
      'Ends your stops of the connection; without a connection, only those of all connections. Waiting payments are then sent.',
    )
    .option('--connection <id>', 'the connection whose stops end')
    .option('--stopped-by <principal>', 'whose stops end (needs dual control)');
  withApproval(withYes(withReason(resume))).action(async (flags: StopFlags, self: Command) => {
    const context = contextOf(self, io);
    const { client } = await context.api();
    const { connection, reason, stoppedBy, approval } = flags;
    const body = {
      reason,
      ...(connection !== undefined && { connection }),
      ...(stoppedBy !== undefined && { stopped_by: stoppedBy }),
    };
    const whose = stoppedBy === undefined ? 'your stops' : `the stops of ${stoppedBy}`;
    const scope = connection === undefined ? 'that apply to all connections' : `of connection ${connection}`;
    await act(context, {
      effect: `This ends ${whose} ${scope}. Once no stop is left, waiting payments are sent within about a minute.`,
      flags,
      send: () =>
        answerOf(
          client.POST('/v1/stop/resumption', {
            params: { header: approval === undefined ? {} : { Approval: approval } },
            body,
          }),
        ),
      result: ({ data: { stops } }) => stopLines(context, stops),
    });
  });
}

function stopLines({ locale, textWidth }: Context, stops: readonly Stop[]): string[] {
  if (stops.length === 0) return ['No stop is in force: workers send payments.'];
  return stops.flatMap((stop) =>
    wrapped(
      `Stopped: ${scopeOf(stop)}, by ${stop.by} since ${localTime(stop.since, locale)}: “${stop.reason}”`,
      textWidth,
    ),
  );
}
