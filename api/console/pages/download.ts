// Files of the API as downloads of the console: passed on as they are streamed.
import { CSV } from '../../http/csv.js';
import { pathOf } from '../../routes/links.js';
import { connectionIn } from '../figures/scope.js';
import { parameter, readPage, type Visit } from '../visit.js';
import { showProblem } from './refusal.js';
import { dayIn } from './day-parts.js';

interface Download {
  path: string;
  operationId: string;
  summary: string;
  /** The path of the API, the name of the file, and what it is called if it is missing. */
  fileOf: (visit: Visit) => { from: string; name: string; what: string };
}

const download = ({ fileOf, ...place }: Download) =>
  readPage(
    { ...place, file: CSV, description: 'The page of the day or of the float account links to it.' },
    async (visit) => {
      const { from, name, what } = fileOf(visit);
      const { answer, problem } = await visit.api.open(from, CSV);
      if (problem !== undefined) return showProblem(visit, problem, what);
      return new Response(answer.body, {
        headers: {
          'content-type': answer.headers.get('content-type') ?? CSV,
          'content-disposition': `attachment; filename="${name}.csv"`,
          'cache-control': 'no-store',
        },
      });
    },
  );

const ofDay = (visit: Visit, api: string, name: string) => {
  const day = dayIn(visit);
  const connection = connectionIn(visit);
  return {
    from: pathOf(api, { from: day, until: day, connection }),
    name: [name, day, ...(connection === undefined ? [] : [connection])].join('-'),
    what: 'connection with this id',
  };
};

export const downloads = [
  download({
    ...{ path: '/console/day/journal', operationId: 'downloadJournal' },
    summary: 'Download the journal of a day as CSV',
    fileOf: (visit) => ofDay(visit, '/v1/journal', 'journal'),
  }),
  download({
    ...{ path: '/console/day/expected', operationId: 'downloadExpected' },
    summary: 'Download what was expected and received on a day as CSV',
    fileOf: (visit) => ofDay(visit, '/v1/expected-and-received', 'expected-and-received'),
  }),
  download({
    ...{ path: '/console/day/report', operationId: 'downloadReport' },
    summary: 'Download the provider’s settlement report of a day, as it was received',
    fileOf: (visit) => {
      const [day, connection = ''] = [dayIn(visit), connectionIn(visit)];
      return {
        from: pathOf(`/v1/reconciliation/${day}/report`, { connection }),
        name: `settlement-${day}-${connection}`,
        what: 'report of this connection and day',
      };
    },
  }),
  download({
    ...{ path: '/console/float-accounts/{uid}/statements/{day}', operationId: 'downloadStatement' },
    summary: 'Download the statement of a float account for one day as CSV',
    fileOf: (visit) => {
      const [uid, day] = [parameter(visit, 'uid'), parameter(visit, 'day')];
      return {
        from: `/v1/float-accounts/${encodeURIComponent(uid)}/statements/${encodeURIComponent(day)}`,
        name: `statement-${uid}-${day}`,
        what: 'float account with this uid',
      };
    },
  }),
];
