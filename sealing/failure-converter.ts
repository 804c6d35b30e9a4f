// Puts an error's message and stack into a payload, which the codec then seals, instead of beside it in clear.
// Node requires this file by its path, uncompiled where we run from source, and it is part of the workflow bundle too:
// so nothing but what JavaScript itself has, and no import but this one.
import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
