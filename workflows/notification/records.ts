// What a notification records: its fact, and that an operator has read it.
import { attentionChanges, factChanges, stateChange } from '../engine/changes.js';
import { stateOf, viewOf } from './view.js';
import type { RecordDefinition } from '../engine/recording.js';
import type { NotificationState } from './contract.js';

export const NOTIFICATION_RECORD: RecordDefinition<NotificationState> = {
  resource: 'notification',
  idsOf: ({ id, fact }) => ({ uid: id, connectionId: fact.namedConnectionId }),
  viewOf,
  factsOf: ({ fact }) => [fact],
  changes: (before, after) => [
    ...factChanges(before && [before.fact], [after.fact]),
    ...(before !== undefined && before.acknowledgement === undefined && after.acknowledgement !== undefined
      ? [
          {
            ...{ kind: 'command' as const, name: 'acknowledged', at: after.acknowledgement.at },
            data: after.acknowledgement,
          },
        ]
      : []),
    ...stateChange(before && stateOf(before), stateOf(after), {}),
    ...attentionChanges(before?.attention, after.attention),
  ],
};
