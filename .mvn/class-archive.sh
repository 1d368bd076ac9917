# Sourced by examples/run, which sets root and target. An archive of the classes of all jars (JEP 310), with which a tool starts in two thirds of the time, is kept in
# $target, 160 MB. It is made once for each JDK and class path, by a small program on Spark; where that fails, tools start as before.
archive=$target/classes.jsa
archived=() # the options of a JVM that uses it

# Classes of signed jars are never archived, and every kernel needs some hundred of Janino's: they are taken from copies without signatures.
unsign() { # sets jars
  local jar copy all=
  local -a each
  IFS=: read -ra each <<<"$jars"
  for jar in "${each[@]}"; do
    case $jar in
      */janino-*.jar | */commons-compiler-*.jar)
        copy=$target/unsigned/${jar##*/}
        if [ -f "$copy" ] || copy_unsigned "$jar" "$copy"; then jar=$copy; fi
        ;;
    esac
    all+=${all:+:}$jar
  done
  jars=$all
}

copy_unsigned() { # JAR COPY
  local work
  work=$(mktemp -d "$target/unsigned.XXXXXX") || return 1
  mkdir -p "$target/unsigned" "$work/classes" &&
    (cd "$work/classes" && "$JAVA_HOME/bin/jar" xf "$1" && rm -f META-INF/*.SF META-INF/*.RSA META-INF/*.DSA) &&
    "$JAVA_HOME/bin/jar" cfM "$work/copy.jar" -C "$work/classes" . && mv -f "$work/copy.jar" "$2"
  local status=$?
  rm -rf "$work"
  return $status
}

archive_classes() { # JARS FOLDERS FLAG…: makes the archive, unless it is there, and sets archived
  local jars=$1 folders=$2 key="$JAVA_HOME $1"
  shift 2
  if [ "$(cat "$archive.key" 2>/dev/null)" != "$key" ]; then make_archive "$jars" "$folders" "$key" "$@"; fi
  if [ -f "$archive" ]; then archived=("-XX:SharedArchiveFile=$archive" -Xlog:cds=off); fi
}

make_archive() { # JARS FOLDERS KEY FLAG…
  local jars=$1 folders=$2 key=$3 work
  shift 3
  echo "archiving classes, once, so that tools start sooner…" >&2
  rm -f "$archive"
  work=$(mktemp -d "$target/archive.XXXXXX") || return 0
  local java=("$JAVA_HOME/bin/java" "$@" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC)
  if "${java[@]}" "-XX:DumpLoadedClassList=$work/all" -cp "$jars:$folders" io.github.broadloom.tools.Main \
    nearest --rows 20 --others 20 --columns 4 --master 'local[1]' --out "$work/out" &&
    grep -v '^io/github/broadloom/' "$work/all" >"$work/list" &&
    "${java[@]}" -Xshare:dump "-XX:SharedClassListFile=$work/list" "-XX:SharedArchiveFile=$work/jsa" -cp "$jars"; then
    mv -f "$work/jsa" "$archive"
  fi >"$target/archive.log" 2>&1 </dev/null
  printf '%s' "$key" >"$archive.key"
  rm -rf "$work"
}
