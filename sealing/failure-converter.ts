// Puts an error's message and stack into a payload, which the codec then seals. By default they would be in clear beside it.
// Node requires this file by path (uncompiled when running from source), and the workflow bundle contains it. It must
// therefore use only plain JavaScript and this one import.
import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
