/**
 * A failure converter that puts messages and stacks into payloads, so that a codec encrypts them.
 * It is CommonJS because the SDK loads it by its path.
 */
import common = require('@temporalio/common');

const failureConverter = new common.DefaultFailureConverter({ encodeCommonAttributes: true });

export = { failureConverter };
