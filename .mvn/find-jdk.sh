# Sourced by examples/run and .ci/run: finds a JDK of 17 or later and sets JAVA_HOME to it.
# Looks at JAVA_HOME, PATH, macOS's java_home and /usr/lib/jvm, in this order; fails, with one sentence, if none will do.

jdk_feature_version() { # DIR: prints 17 for a JDK 17 in DIR; fails if there is no compiler
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 1
  local version=""
  if [ -r "$1/release" ]; then
    version=$(sed -n 's/^JAVA_VERSION="\{0,1\}\([0-9.]*\).*/\1/p' "$1/release")
  fi
  if [ -z "$version" ]; then
    version=$("$1/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9.]*\).*/\1/p')
  fi
  version=${version#1.} # 1.8.0 is 8
  printf '%s\n' "${version%%.*}"
}

follow_links() { # FILE: prints where a chain of symbolic links ends
  local file=$1 target
  while [ -L "$file" ]; do
    target=$(readlink "$file")
    case $target in
      /*) file=$target ;;
      *) file=$(dirname "$file")/$target ;;
    esac
  done
  printf '%s\n' "$file"
}

jdk_candidates() {
  local tool
  printf '%s\n' "${JAVA_HOME:-}"
  if tool=$(command -v javac); then
    dirname "$(dirname "$(follow_links "$tool")")"
  fi
  if [ -x /usr/libexec/java_home ]; then
    /usr/libexec/java_home -v 17+ 2>/dev/null || true
  fi
  ls -d /usr/lib/jvm/* 2>/dev/null || true
}

find_jdk() {
  local dir version
  while IFS= read -r dir; do
    if [ -n "$dir" ] && version=$(jdk_feature_version "$dir") && [ "${version:-0}" -ge 17 ] 2>/dev/null; then
      JAVA_HOME=$dir
      export JAVA_HOME
      return 0
    fi
  done <<EOF
$(jdk_candidates)
EOF
  echo "Cannot find a JDK of version 17 or later: install one (for example the package openjdk-17-jdk) or set JAVA_HOME to it." >&2
  return 1
}
