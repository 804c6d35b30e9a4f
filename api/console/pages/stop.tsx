// The stops of payments that are in force, and the forms that stop and resume.
import { pathOf } from '../../routes/links.js';
import { STOP_ACTIONS } from '../actions/of-stop.js';
import type { StopsInForce, Timeline } from '../answers.js';
import { counted } from '../format.js';
import { showPage } from '../layout.js';
import { Foreign, Table, Time } from '../parts.js';
import { parameter, readPage, type Visit } from '../visit.js';
import { actionPages } from './command-forms.js';
import { ActionLinks, DoneNotice } from './done.js';
import { showProblem } from './refusal.js';
import { TimelineOf } from './timeline.js';

const PAGE = '/console/stop';
const COMMANDS = `${PAGE}/commands`;

const stopsOf = ({ api }: Visit) => api.read<{ data: StopsInForce }>('/v1/stop');

export const showStops = readPage(
  {
    path: PAGE,
    operationId: 'showStops',
    summary: 'Show the stops of payments that are in force',
    description: 'Its forms stop the payments of one or all connections, and resume them.',
  },
  async (visit) => {
    const { api, c } = visit;
    const { answer, problem } = await stopsOf(visit);
    if (problem !== undefined) return showProblem(visit, problem, 'stop');
    const cursor = c.req.query('timeline');
    const timeline = await api.read<Timeline>(pathOf('/v1/stop/timeline', { per_page: 50, cursor }));
    const { stops, waiting } = answer.data;
    const content = (
      <>
        <DoneNotice visit={visit} actions={STOP_ACTIONS} />
        <p class="lead">
          {stops.length === 0
            ? 'No stop is in force: workers send payments.'
            : `${counted(stops.length, 'stop')} in force. `}
          {stops.length === 0 || waiting === null
            ? ''
            : `${counted(waiting.payments, 'payment')} and ${counted(waiting.refunds, 'refund')} wait.`}
        </p>
        <ActionLinks page={PAGE} actions={STOP_ACTIONS} resource={answer.data} />
        <StopTable stops={stops} />
        {timeline.problem?.status === 404 ? (
          <p>Payments were never stopped.</p>
        ) : (
          <TimelineOf timeline={timeline.answer} page={PAGE} />
        )}
      </>
    );
    return showPage(c, { title: 'Stops of payments', content, session: visit });
  },
);

const StopTable = ({ stops }: Pick<StopsInForce, 'stops'>) =>
  stops.length === 0 ? null : (
    <Table
      label="Stops"
      heads={['Connection', 'Reason', 'Stopped by', 'Since', 'Payments that wait', 'End it']}
      rows={stops.map(({ connection, reason, by, since }) => [
        connection ?? 'all connections',
        <Foreign text={reason} />,
        <Foreign text={by} />,
        <Time at={since} />,
        <a href={pathOf('/console/payments', { connection: connection ?? undefined, state: 'requested' })}>
          Requested payments
        </a>,
        <a href={pathOf(`${COMMANDS}/resumption`, { connection: connection ?? undefined, stopped_by: by })}>
          Resume
        </a>,
      ])}
    />
  );

export const stopCommands = actionPages<StopsInForce>({
  path: `${COMMANDS}/{command}`,
  operation: 'StopCommand',
  noun: 'stop',
  subject: async (visit) => {
    const { answer, problem } = await stopsOf(visit);
    if (problem !== undefined) return { problem };
    return { answer: { resource: answer.data, name: 'stops of payments', page: PAGE, path: '/v1/stop' } };
  },
  action: (visit) => STOP_ACTIONS.find(({ name }) => name === parameter(visit, 'command')),
});
