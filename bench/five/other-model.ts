/** The model that the scripted reader answers for by other lots, so that a part of its answers are others. */
export const OTHER_MODEL = 'another-reader';
