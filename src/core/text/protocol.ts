/** The version of what supervisor and clients say to each other. Raised when an older client would misunderstand. */
export const PROTOCOL = 1;
