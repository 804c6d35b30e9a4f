// Reads the journal part by part.
import type { JournalPart, JournalRequest } from '../../records/journal.js';
import type { Calls } from './temporal/calls.js';

interface JournalGateway {
  /** @throws ApiError `records_unavailable`, also between two parts. */
  read: (request: JournalRequest) => AsyncGenerator<JournalPart>;
}

export const createJournalGateway = ({ recorded }: Pick<Calls, 'recorded'>): JournalGateway => ({
  async *read(request) {
    const parts = await recorded.ask(({ journal }) => Promise.resolve(journal(request)));
    try {
      for (;;) {
        const next = await recorded.ask(() => parts.next());
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      // The caller may have left. Then its transaction ends.
      await parts.return(undefined);
    }
  },
});
