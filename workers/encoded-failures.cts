/**
 * Failures whose messages and stacks are payloads, so that a codec encrypts them. CommonJS, as the
 * SDK loads it by its path.
 */
import common = require('@temporalio/common');

const failureConverter = new common.DefaultFailureConverter({ encodeCommonAttributes: true });

export = { failureConverter };
